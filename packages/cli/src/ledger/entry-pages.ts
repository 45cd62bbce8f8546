import type { EntryPage, EntryQuery } from "@tollgate/core/store";
import { pages } from "../pages.ts";
import type { Session } from "../session.ts";

const pageSize = 1_000;

/** Reads the entries of an account in pages, oldest first, optionally after a sequence. */
export function entryPages(session: Session, query: Omit<EntryQuery, "limit">): AsyncGenerator<EntryPage> {
  const { after: start, ...rest } = query;
  const read = (after: bigint | undefined) =>
    session.call(() =>
      session.balances.entries({ ...rest, limit: pageSize, ...(after === undefined ? {} : { after }) }),
    );
  return pages(read, start);
}
