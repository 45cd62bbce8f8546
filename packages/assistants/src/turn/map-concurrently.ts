/** Maps items with an asynchronous function, of which at most `limit` calls run at once. Results are in the order of the items. */
export async function mapConcurrently<Item, Result>(
  limit: number,
  items: readonly Item[],
  map: (item: Item) => Promise<Result> | Result,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const pending = items.entries();
  const worker = async () => {
    for (const [index, item] of pending) results.set(index, await map(item));
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
