import type { Renewal } from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { expireStatement, renewStatement } from "./statements/lease.ts";
import { storableAmount } from "./storable-values.ts";

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
