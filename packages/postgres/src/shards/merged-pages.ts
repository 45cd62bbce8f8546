import type { AccountDirectory } from "./directory.ts";

/** The first items that a shard has of a list, in its order. */
export interface ShardPage<Item> {
  readonly shard: string;
  readonly items: readonly Item[];
  /** Whether the shard has further ones. */
  readonly hasMore: boolean;
}

/** The order of a list. Items of the same place are the same one, which two shards have while its account moves. */
export interface ListOrder<Item> {
  compare(one: Item, other: Item): number;
  accountOf(item: Item): string;
}

/** Merges the first pages of the shards, each of at most `limit` items, to the first page of the whole list. */
export async function mergePages<Item>(
  directory: AccountDirectory,
  pages: readonly ShardPage<Item>[],
  order: ListOrder<Item>,
  limit: number,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  const items = await mergeItems(directory, pages, order);
  // What comes after the last item of a page that goes on may come after items that its shard has not sent.
  const ends = pages.flatMap(({ items: own, hasMore }) => (hasMore ? own.slice(-1) : []));
  const complete = items.filter((item) => ends.every((end) => order.compare(item, end) <= 0)).slice(0, limit);
  return { items: complete, hasMore: complete.length < items.length || ends.length > 0 };
}

async function mergeItems<Item>(
  directory: AccountDirectory,
  pages: readonly ShardPage<Item>[],
  { compare, accountOf }: ListOrder<Item>,
): Promise<readonly Item[]> {
  const sorted = pages
    .flatMap(({ shard, items }) => items.map((item) => ({ shard, item })))
    .sort((one, other) => compare(one.item, other.item));
  const merged: Item[] = [];
  for (const { shard, item } of sorted) {
    const last = merged.at(-1);
    if (last === undefined || compare(last, item) !== 0) merged.push(item);
    else if ((await directory.refresh(accountOf(item)))?.shard === shard) merged[merged.length - 1] = item;
  }
  return merged;
}
