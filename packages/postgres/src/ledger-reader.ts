import type { Balance, BalanceStore, Entry, EntryPage, LedgerViolation } from "@tollgate/core/store";
import { checkedWholeNumber, emptyBalance, sumViolation } from "@tollgate/core/store";
import { balanceIn } from "./balance-row.ts";
import type { Database } from "./database.ts";
import { tookTooLong } from "./database-error.ts";
import type { Row } from "./row.ts";
import { balanceStatement, entriesStatement, verifyStatement } from "./statements/reading.ts";

/** What the account has now. */
export async function readBalance(database: Database, account: string): Promise<Balance> {
  const [row] = await database.run(balanceStatement, [account]);
  return (row && balanceIn(row)) ?? emptyBalance;
}

/** One page of the account's entries. */
export async function readEntries(
  database: Database,
  { account, limit, after = 0n }: Parameters<BalanceStore["entries"]>[0],
): Promise<EntryPage> {
  // One more than is asked for tells whether there is another page.
  const most = checkedWholeNumber("limit", limit, 1) + 1;
  const rows = await database.run(entriesStatement, [account, String(after), most]);
  const entries = rows.slice(0, limit).map((row) => toEntry(account, row));
  const last = entries.at(-1);
  return rows.length > limit && last !== undefined ? { entries, next: last.sequence } : { entries };
}

function toEntry(account: string, row: Row): Entry {
  const reason = row.optionalText("reason");
  return {
    sequence: row.bigint("sequence"),
    account,
    kind: row.oneOf("kind", ["credit", "debit", "charge", "expiry", "late"]),
    amount: row.bigint("amount"),
    reference: row.text("reference"),
    ...(reason === undefined ? {} : { reason }),
    at: row.date("at"),
  };
}

/** Adds everything up again, and gives back what does not agree. It may take longer than a pool for requests allows. */
export async function verifyLedger(database: Database): Promise<readonly LedgerViolation[]> {
  try {
    return (await database.run(verifyStatement, [])).map(toViolation);
  } catch (cause) {
    if (!tookTooLong(cause)) throw cause;
    throw new Error(
      "The ledger was not verified: reading all of it takes longer than this pool allows. Verify on a pool of its own, without `statement_timeout` and `query_timeout`.",
      { cause },
    );
  }
}

function toViolation(row: Row): LedgerViolation {
  const account = row.text("account_id");
  const what = row.oneOf("what", ["posted", "held", "charged", "too early"]);
  const [stated, found] = [row.bigint("stated"), row.bigint("found")];
  if (what === "posted" || what === "held") return sumViolation(account, what, stated, found);
  const but = what === "charged" ? `its entries sum to ${-found}` : "has not been settled and has not expired";
  return { account, problem: `Hold ${row.text("hold_id")} was charged ${stated}, but ${but}.` };
}
