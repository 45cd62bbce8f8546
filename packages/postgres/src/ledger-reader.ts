import { nextOf, readEntryRow } from "@tollgate/core/internal";
import {
  type Balance,
  checkedAccount,
  checkedEntryQuery,
  type EntryPage,
  type EntryQuery,
  emptyBalance,
  type LedgerViolation,
  sumViolation,
} from "@tollgate/core/store";
import { toBalance } from "./accounts.ts";
import type { Database } from "./database.ts";
import { isTimeout } from "./database-error.ts";
import type { Row } from "./row.ts";
import { entriesStatement } from "./statements/entries.ts";
import { balanceStatement, verifyStatement } from "./statements/reading.ts";

/** Reads the current balance of an account. */
export async function readBalance(database: Database, account: string): Promise<Balance> {
  const [row] = await database.run(balanceStatement, [checkedAccount(account)]);
  return (row && toBalance(row)) ?? emptyBalance;
}

/** Reads one page of the account's entries. */
export async function readEntries(database: Database, query: EntryQuery): Promise<EntryPage> {
  const checked = checkedEntryQuery(query);
  const { account, limit } = checked;
  // One row more than the limit shows whether there is another page.
  const { text, values } = entriesStatement(database.tables, checked, limit + 1);
  const rows = await database.runOnce(text, values);
  const entries = rows.slice(0, limit).map((row) => readEntryRow(row, account));
  return { entries, ...nextOf(entries, rows.length, ({ sequence }) => sequence) };
}

/** Recomputes every sum and returns the differences. It can exceed the timeouts of a pool that serves requests. */
export async function verifyLedger(database: Database): Promise<readonly LedgerViolation[]> {
  try {
    return (await database.run(verifyStatement, [])).map(toViolation);
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new Error(
      "The ledger was not verified: reading it took longer than the timeout of this pool. Verify on a separate pool without `statement_timeout` and `query_timeout`.",
      { cause },
    );
  }
}

function toViolation(row: Row): LedgerViolation {
  const account = row.text("account_id");
  const what = row.oneOf("what", ["posted", "held", "charged", "too early"]);
  const [stated, found] = [row.integer("stated"), row.integer("found")];
  if (what === "posted" || what === "held") return sumViolation(account, what, stated, found);
  const but = what === "charged" ? `its entries sum to ${-found}` : "it is neither settled nor expired";
  return { account, problem: `Hold ${row.text("hold_id")} was charged ${stated}, but ${but}.` };
}
