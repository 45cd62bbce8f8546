import { type MemoryBalanceStore, memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore, HoldRequest } from "@tollgate/core/store";
import { expect } from "vitest";
import type { SliceOptions } from "../src/slices/slice-options.ts";
import { sliceBalances } from "../src/slices/sliced-balances.ts";
import { chargeReceipt, plainHold } from "./receipts.ts";

const options = { amount: 1_000n, above: 2_000n };

/** A store in memory with an account that has 10,000, and slices over it as one process has them. */
export async function openSlices(overrides: Partial<SliceOptions> = {}, store: BalanceStore = memoryBalanceStore()) {
  await store.credit({ id: "credit", account: "a", amount: 10_000n, reason: "test" });
  const { balances, close } = sliceBalances(store, { ...options, ...overrides });
  return { store, balances, close };
}

/** Counts the calls of the methods that requests use. */
export function counting(store: MemoryBalanceStore) {
  const calls = { hold: 0, settle: 0, release: 0, renew: 0 };
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        for (const method of countedMethods) if (method === name) calls[method] += 1;
        return member.apply(target, given);
      };
    },
  });
  return { store: counted, calls };
}

const countedMethods = ["hold", "settle", "release", "renew"] as const;

/** A request of the account "a". */
export const slicedRequest = (amount: bigint, overrides: Partial<HoldRequest> = {}): HoldRequest => ({
  id: crypto.randomUUID(),
  account: "a",
  keyId: "key-1",
  amount,
  leaseMs: 60_000,
  ...plainHold,
  ...overrides,
});

/** Holds and settles a request, which must succeed. */
export async function pay(balances: BalanceStore, cost: bigint, overrides?: Partial<HoldRequest>): Promise<void> {
  const request = slicedRequest(100n, overrides);
  expect((await balances.hold(request)).outcome).toBe("held");
  expect(await balances.settle(request, cost, chargeReceipt)).toEqual({ outcome: "ended" });
}

/** Pays for the two requests after which a slice is taken, and resolves when it is open. */
export async function openSlice(balances: BalanceStore, overrides?: Partial<HoldRequest>): Promise<void> {
  await pay(balances, 60n, overrides);
  await pay(balances, 60n, overrides);
  // The slice is taken in the background.
  await new Promise((resolve) => setImmediate(resolve));
}
