import { nextOf, readEntryRow, type TextRow } from "@tollgate/core/internal";
import {
  checkedEntryQuery,
  checkedId,
  type EntryPage,
  type EntryQuery,
  keyViolation,
  type LedgerViolation,
  lotSumViolation,
  lotViolation,
  type Renewal,
  sumViolation,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { isTimeout } from "./database-error.ts";
import { entriesStatement } from "./statements/entries.ts";
import { expireStatement, renewStatement } from "./statements/lease.ts";
import { noticeExpiriesStatement } from "./statements/notices.ts";
import { lapseAllStatement, lapseStatement } from "./statements/preparing.ts";
import { keyUsageStatement, verifyStatement } from "./statements/reading.ts";
import { removeCapsStatement } from "./statements/spend.ts";
import { storableAmount } from "./storable-values.ts";

/** Reads what was charged for a key. */
export async function readKeyUsage(database: Database, keyId: string): Promise<bigint> {
  return (await database.runForOne(keyUsageStatement, [checkedId("keyId", keyId)])).integer("used");
}

/** Reads one page of the account's entries. */
export async function readEntries(database: Database, query: EntryQuery): Promise<EntryPage> {
  const checked = checkedEntryQuery(query);
  const { account, limit } = checked;
  await database.run(lapseStatement, [[account]]);
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

function toViolation(row: TextRow): LedgerViolation {
  const account = row.text("account_id");
  const what = row.oneOf("what", whats);
  const [stated, found] = [row.integer("stated"), row.integer("found")];
  switch (what) {
    case "charged":
    case "too early": {
      const but = what === "charged" ? `its entries sum to ${-found}` : "it is neither settled nor expired";
      return { account, problem: `Hold ${row.text("name")} was charged ${stated}, but ${but}.` };
    }
    case "key":
      return keyViolation(account, row.text("name"), stated, found);
    case "lot":
      return lotViolation(account, row.text("name"), stated, found);
    case "lots":
      return lotSumViolation(account, stated, found);
    default:
      return sumViolation(account, what, stated, found);
  }
}

const whats = ["posted", "held", "credited", "used", "charged", "too early", "key", "lot", "lots"] as const;

/** Renews the leases of the holds that are still pending, and returns their ids. */
export async function renewHolds(
  database: Database,
  renewals: readonly Renewal[],
  leaseMs: number,
): Promise<readonly string[]> {
  const used = renewals.map((renewal) => String(storableAmount(renewal.used, 0n)));
  if (renewals.length === 0) return [];
  const ids = renewals.map(({ id }) => id);
  const accounts = renewals.map(({ account }) => account);
  const rows = await database.run(renewStatement, [ids, accounts, used, leaseMs]);
  const renewed = new Set(rows.map((row) => row.text("id")));
  return ids.filter((id) => renewed.has(id));
}

const sweepSize = 500;
// Keeps a call within the time that a gateway allows its stores. The gateway calls again for the rest.
const maxSweeps = 4;
/** Sweeps of a few holds take less time. */
const maxShortSweeps = 50;

/**
 * Ends up to 2,000 overdue holds and returns how many, after what is due of lots has expired. Accounts are locked for at most one
 * sweep of 500 holds. Then it writes the notices of lots that expire soon.
 */
export async function expireHolds(database: Database): Promise<number> {
  const lock = `tollgate expiry in ${database.tables.schema}`;
  let total = 0;
  for (let full = 0, short = 0; full < maxSweeps && short < maxShortSweeps; ) {
    await database.run(lapseAllStatement, [sweepSize]);
    const row = await database.runForOne(expireStatement, [lock, sweepSize]);
    const expired = Number(row.text("expired"));
    total += expired;
    if (expired === sweepSize) full += 1;
    else if (row.text("left") !== "0") short += 1;
    else break;
  }
  await database.run(noticeExpiriesStatement, [sweepSize]);
  await database.run(removeCapsStatement, []);
  return total;
}
