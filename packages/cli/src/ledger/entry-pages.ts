import type { EntryPage } from "@tollgate/core/store";
import { pages } from "../pages.ts";
import type { Session } from "../session.ts";

const pageSize = 1_000;

/** The entries of an account, page by page, oldest first, those after a sequence when it is given. */
export function entryPages(session: Session, account: string, start?: bigint): AsyncGenerator<EntryPage> {
  const read = (after: bigint | undefined) =>
    session.ask(() =>
      session.balances.entries({ account, limit: pageSize, ...(after === undefined ? {} : { after }) }),
    );
  return pages(read, start);
}
