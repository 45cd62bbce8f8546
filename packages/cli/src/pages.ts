import type { Awaitable } from "@tollgate/core/internal";

/** Iterates over pages. Each page is read after the previous one has been processed. */
export async function* pages<Cursor, Page extends { readonly next?: Cursor }>(
  read: (after: Cursor | undefined) => Awaitable<Page>,
  start?: Cursor,
): AsyncGenerator<Page> {
  let after = start;
  do {
    const page = await read(after);
    yield page;
    after = page.next;
  } while (after !== undefined);
}

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

/** Reads pages until there are `count` items, and returns these. `read` receives the size of a page and its cursor. */
export async function firstItems<Item, Cursor>(
  count: number,
  read: (
    limit: number,
    cursor: Cursor | undefined,
  ) => Awaitable<{ readonly items: readonly Item[]; readonly next?: Cursor }>,
): Promise<readonly Item[]> {
  const limit = Math.min(count, pageSize);
  const found: Item[] = [];
  for await (const { items } of pages((cursor: Cursor | undefined) => read(limit, cursor))) {
    found.push(...items);
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}
