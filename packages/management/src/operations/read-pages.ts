/** Reads the pages of a store one after another, each when it is wanted. `read` receives where a page begins, undefined for the first. */
export async function* readPages<Item, Cursor>(
  read: (after: Cursor | undefined) => Promise<{ readonly items: readonly Item[]; readonly next?: Cursor | undefined }>,
): AsyncGenerator<readonly Item[], undefined> {
  let after: Cursor | undefined;
  do {
    const { items, next } = await read(after);
    yield items;
    after = next;
  } while (after !== undefined);
  return undefined;
}
