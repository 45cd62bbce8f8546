import type { BalanceStore, HoldRequest } from "@tollgate/core/store";
import { expect } from "vitest";

/** A hold of so much, with an id of its own. */
export function holdRequest(account: string, amount: bigint): HoldRequest {
  return { id: crypto.randomUUID(), account, keyId: "key-1", amount, leaseMs: 60_000, terms: [] };
}

/** Makes a hold that must be granted, and gives its id. */
export async function heldBy(store: BalanceStore, account: string, amount: bigint): Promise<string> {
  const request = holdRequest(account, amount);
  expect((await store.hold(request)).outcome).toBe("held");
  return request.id;
}

/** A new account with so much on it; with nothing, the store never hears of it. */
export async function fundedAccount(store: BalanceStore, amount: bigint): Promise<string> {
  const account = crypto.randomUUID();
  if (amount > 0n) await store.credit({ id: crypto.randomUUID(), account, amount, reason: "top-up" });
  return account;
}

/** How many of the answers have each outcome. */
export function tally(answers: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
