/** Iterates over the items of pages. Each page is read after the previous one has been processed. */
export async function* itemPages<Cursor, Item>(
  read: (after: Cursor | undefined) => Promise<{ readonly items: readonly Item[]; readonly next?: Cursor }>,
  start?: Cursor,
): AsyncGenerator<readonly Item[]> {
  let after = start;
  do {
    const { items, next } = await read(after);
    yield items;
    after = next;
  } while (after !== undefined);
}

/** Returns the items of all pages. */
export const allItems = <Item>(read: AsyncGenerator<readonly Item[]>): Promise<readonly Item[]> =>
  take(Number.POSITIVE_INFINITY, () => read);

const pageSize = 500;

/** Reads pages until there are `count` items, and returns these. `open` receives the size of a page. */
export async function take<Item>(
  count: number,
  open: (limit: number) => AsyncGenerator<readonly Item[]>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const items of open(Math.min(count, pageSize))) {
    found.push(...items);
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}
