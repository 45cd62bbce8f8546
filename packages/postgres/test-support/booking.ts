import type { BalanceStore, HoldRequest } from "@tollgate/core/store";
import { expect } from "vitest";
import { plainHold } from "./receipts.ts";

/** A request to hold the amount, with a new id. */
export function holdRequest(account: string, amount: bigint): HoldRequest {
  return { id: crypto.randomUUID(), account, keyId: "key-1", amount, leaseMs: 60_000, ...plainHold };
}

/** Creates a hold, which must succeed, and returns its id. */
export async function heldBy(store: BalanceStore, account: string, amount: bigint): Promise<string> {
  const request = holdRequest(account, amount);
  expect((await store.hold(request)).outcome).toBe("held");
  return request.id;
}

/** Returns a new account with the amount credited. With an amount of 0, the store does not know the account. */
export async function fundedAccount(store: BalanceStore, amount: bigint): Promise<string> {
  const account = crypto.randomUUID();
  if (amount > 0n) await store.credit({ id: crypto.randomUUID(), account, amount, reason: "top-up" });
  return account;
}

/** Counts the results by outcome. */
export function tally(results: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
