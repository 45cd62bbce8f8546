import type { BalanceStore, Entry } from "@tollgate/core/store";
import type { Violation } from "./violation.ts";

/**
 * Checks what the entries say of lots: no entry takes from a lot more than it has, nor before it is made; the lots never have
 * more than is posted; and what expires does so at its time, as a part of its lot. After every hold has ended, nothing is left
 * of a lot whose time has passed.
 */
export async function checkLots(store: BalanceStore, account: string, ledger: readonly Entry[]): Promise<Violation[]> {
  const problems: string[] = [];
  const rests = new Map<string, bigint>();
  let posted = 0n;
  for (const { sequence, kind, amount, lots = [], at } of ledger) {
    posted += amount;
    for (const { lot, amount: part, expiresAt } of lots) {
      const rest = (rests.get(lot) ?? 0n) + (amount > 0n ? part : -part);
      rests.set(lot, rest);
      if (rest < 0n) problems.push(`entry ${sequence} takes more from lot ${lot} than it has`);
      if (kind === "lapse" && (part !== -amount || expiresAt === undefined || expiresAt > at)) {
        problems.push(`entry ${sequence} lets lot ${lot} expire by another amount or before its time`);
      }
    }
    const sum = sumOf([...rests.values()]);
    if (sum > 0n && sum > posted) problems.push(`the lots have ${sum} after entry ${sequence}, with ${posted} posted`);
  }
  const { expiring } = await store.balance(account);
  const over = expiring.filter(({ expiresAt }) => expiresAt.getTime() < Date.now() - clockToleranceMs);
  if (over.length > 0) problems.push(`${over.length} lots still have something although their time has passed`);
  return problems.map((problem): Violation => ({ kind: "drift", problem: `${account}: ${problem}.` }));
}

/** A lot can expire between the answer of the store and the check. */
const clockToleranceMs = 1_000;

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
