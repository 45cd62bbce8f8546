import { deepEqual, equal } from "node:assert/strict";
import type { Entry } from "@tollgate/core/store";
import type { BalanceContext } from "./context.ts";

const chargeKinds: ReadonlySet<Entry["kind"]> = new Set(["charge", "expiry", "late", "refund"]);

/**
 * Fails unless `verify` reports nothing and the entries of the account explain its balance: what is posted, what was used,
 * and what is left of money that expires.
 */
export async function expectConsistentLedger({ store, account, ledger }: BalanceContext): Promise<void> {
  deepEqual([...(await store.verify())], []);
  const { posted, held, available, totals, expiring } = await store.balance(account);
  const entries = await ledger();
  equal(sumOf(entries), posted, "The entries must sum to the posted balance.");
  equal(available, posted - held);
  equal(held >= 0n, true, "The held amount must not be negative.");
  equal(totals.used, -sumOf(entries.filter(({ kind }) => chargeKinds.has(kind))), "The total must be of all charges.");
  const rests = restsOf(entries);
  for (const { lot, rest } of rests) equal(rest >= 0n, true, `The lot ${lot} must not pay more than it has.`);
  equal(sumOfRests(rests) <= (posted > 0n ? posted : 0n), true, "The lots must not have more than is posted.");
  const left = sumOfRests(rests.filter(({ expires }) => expires));
  equal(
    expiring.reduce((sum, { amount }) => sum + amount, 0n),
    left,
    "The balance must list all that expires.",
  );
}

interface Rest {
  readonly lot: string;
  readonly expires: boolean;
  readonly rest: bigint;
}

/** Returns what the entries have left of each lot. */
function restsOf(entries: readonly Entry[]): readonly Rest[] {
  const rests = new Map<string, Rest>();
  for (const { amount, lots = [] } of entries) {
    for (const share of lots) {
      const before = rests.get(share.lot)?.rest ?? 0n;
      const rest = amount > 0n ? before + share.amount : before - share.amount;
      rests.set(share.lot, { lot: share.lot, expires: share.expiresAt !== undefined, rest });
    }
  }
  return [...rests.values()];
}

const sumOf = (entries: readonly Entry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n);

const sumOfRests = (rests: readonly Rest[]): bigint => rests.reduce((sum, { rest }) => sum + rest, 0n);
