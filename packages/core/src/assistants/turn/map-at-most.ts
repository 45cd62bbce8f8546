/** Maps items with a step that takes time, at most `limit` of them at once; the results stand in the order of the items. */
export async function mapAtMost<Item, Result>(
  limit: number,
  items: readonly Item[],
  step: (item: Item) => Promise<Result> | Result,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results.set(index, await step(item));
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return items.flatMap((_, index) => {
    const result = results.get(index);
    return result === undefined ? [] : [result];
  });
}
