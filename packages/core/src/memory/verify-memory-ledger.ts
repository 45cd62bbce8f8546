import type { LedgerViolation } from "../ports/balance-store.ts";
import { type MemoryAccount, sumOf } from "./memory-accounts.ts";

/** Checks that what is posted is the sum of the entries, and that what is held is the sum of the pending holds. */
export function verifyMemoryLedger(
  accounts: Iterable<MemoryAccount>,
  pending: Iterable<{ readonly account: MemoryAccount; readonly held: bigint }>,
): readonly LedgerViolation[] {
  const held = new Map<MemoryAccount, bigint>();
  for (const hold of pending) held.set(hold.account, (held.get(hold.account) ?? 0n) + hold.held);
  return [...accounts].flatMap((account) => [
    ...difference(account.id, "posted", account.posted, sumOf(account.entries)),
    ...difference(account.id, "held", account.held, held.get(account) ?? 0n),
  ]);
}

function difference(account: string, what: "posted" | "held", stated: bigint, found: bigint): LedgerViolation[] {
  return stated === found ? [] : [sumViolation(account, what, stated, found)];
}

/** Returns the violation of an account whose stated amount is not the sum of its entries or pending holds. Amounts are in nano-units. */
export function sumViolation(account: string, what: "posted" | "held", stated: bigint, found: bigint): LedgerViolation {
  const source = what === "posted" ? "entries" : "pending holds";
  return { account, problem: `Account ${account} has ${stated} ${what}, but its ${source} sum to ${found}.` };
}
