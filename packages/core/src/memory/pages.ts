/**
 * Counts how many sizes from the start add up to at most `maxBytes`. Counts at least one if there are any, so that paging
 * continues past an entry that is larger than a page.
 */
export function countFitting(sizes: Iterable<number>, maxBytes: number): number {
  let [count, bytes] = [0, 0];
  for (const size of sizes) {
    bytes += size;
    if (count > 0 && bytes > maxBytes) break;
    count += 1;
  }
  return count;
}

/** Returns the first entries, at most `limit`, that together have at most `maxBytes`. Returns at least one if there are any. */
export function firstFitting<Entry extends { readonly bytes: number }>(
  entries: readonly Entry[],
  { limit, maxBytes = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly maxBytes?: number },
): Entry[] {
  const some = entries.slice(0, limit);
  return some.slice(
    0,
    countFitting(
      some.map(({ bytes }) => bytes),
      maxBytes,
    ),
  );
}

/** Returns the position of the last entry of a page as `next`, if more entries were found than the page has. */
export function nextOf<Entry, Position>(
  page: readonly Entry[],
  found: number,
  positionOf: (last: Entry) => Position,
): { readonly next?: Position } {
  const last = page.at(-1);
  return last !== undefined && found > page.length ? { next: positionOf(last) } : {};
}
