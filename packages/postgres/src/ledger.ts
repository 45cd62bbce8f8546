import { nextOf, readEntryRow } from "@tollgate/core/internal";
import {
  type Balance,
  checkedAccount,
  checkedEntryQuery,
  checkedPosting,
  type EntryPage,
  type EntryQuery,
  emptyBalance,
  type LedgerViolation,
  type Posting,
  type PostingResult,
  type Renewal,
  sumViolation,
} from "@tollgate/core/store";
import { toBalance } from "./accounts.ts";
import type { Database } from "./database.ts";
import { isTimeout } from "./database-error.ts";
import type { Row } from "./row.ts";
import { entriesStatement } from "./statements/entries.ts";
import { newAccountStatement } from "./statements/hold.ts";
import { expireStatement, renewStatement } from "./statements/lease.ts";
import { existingPostingStatement, postingStatement } from "./statements/posting.ts";
import { balanceStatement, verifyStatement } from "./statements/reading.ts";
import { storableAmount } from "./storable-values.ts";

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

/** Posts a credit or debit of the host. */
export async function post(database: Database, kind: "credit" | "debit", posting: Posting): Promise<PostingResult> {
  const { id, account, amount, reason } = checkedPosting(posting);
  const movement = kind === "credit" ? amount : -amount;
  for (;;) {
    const [row] = await database.run(postingStatement, [account, kind, String(movement), id, reason]);
    const balance = (row && toBalance(row)) ?? emptyBalance;
    if (row?.text("outcome") === "posted") return { outcome: "posted", balance };
    // A separate lookup, because the posting with this id can be newer than the snapshot of the statement.
    const [earlier] = await database.run(existingPostingStatement, [id]);
    if (earlier !== undefined) {
      const same =
        earlier.text("account_id") === account &&
        earlier.text("kind") === kind &&
        earlier.integer("amount") === movement &&
        earlier.text("reason") === reason;
      if (!same) return { outcome: "conflict" };
      // Without a row, the account is newer than the snapshot, so its balance is unknown until the next attempt.
      if (row !== undefined) return { outcome: "repeated", balance };
    }
    await database.run(newAccountStatement, [account]);
  }
}

/** Renews the leases of the holds that are still pending, and returns their ids. */
export async function renewHolds(
  database: Database,
  renewals: readonly Renewal[],
  leaseMs: number,
): Promise<readonly string[]> {
  const used = renewals.map((renewal) => String(storableAmount(renewal.used, 0n)));
  if (renewals.length === 0) return [];
  const ids = renewals.map(({ id }) => id);
  const rows = await database.run(renewStatement, [ids, used, leaseMs]);
  const renewed = new Set(rows.map((row) => row.text("id")));
  return ids.filter((id) => renewed.has(id));
}

const sweepSize = 500;
// Keeps a call within the time that a gateway allows its stores. The gateway calls again for the rest.
const maxSweeps = 4;

/** Ends up to 2,000 overdue holds and returns how many. Accounts are locked for at most one sweep of 500 holds. */
export async function expireHolds(database: Database): Promise<number> {
  const lock = `tollgate expiry in ${database.tables.schema}`;
  let total = 0;
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    const row = await database.runForOne(expireStatement, [lock, sweepSize]);
    const expired = Number(row.text("expired"));
    total += expired;
    if (expired < sweepSize) break;
  }
  return total;
}
