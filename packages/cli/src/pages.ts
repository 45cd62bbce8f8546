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
