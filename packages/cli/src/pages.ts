import type { Awaitable } from "@tollgate/core/internal";

/** One page after the other, each read when the one before it has been dealt with. */
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
