import type { Renewal } from "@tollgate/core/store";
import { storableAmount } from "./amount.ts";
import type { Database } from "./database.ts";
import { expireStatement, renewStatement } from "./statements/lease.ts";

/** Moves the leases of the holds that are still pending, and gives back their ids. */
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
// A call is to answer within the time that a gateway gives its stores; it calls again for more.
const mostSweeps = 4;

/** Ends overdue holds until there are no more, at most 2,000, and gives back how many. Accounts stay locked for one sweep of 500 at most. */
export async function expireHolds(database: Database): Promise<number> {
  const lock = `tollgate expiry in ${database.tables.schema}`;
  let total = 0;
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    const row = await database.runForOne(expireStatement, [lock, sweepSize]);
    const expired = Number(row.text("expired"));
    total += expired;
    if (expired < sweepSize) break;
  }
  return total;
}
