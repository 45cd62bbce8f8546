import type { BalanceStore } from "@tollgate/core/store";
import { chargeReceipt, plainHold } from "../../../packages/core/test-support/receipts.ts";

/** How a store is asked. */
export interface Load {
  readonly callers: number;
  readonly accounts: number;
  readonly seconds: number;
  /** Called when the pairs begin to count. */
  readonly onWarm?: () => void;
}

/** A store of requests, and the store that has their accounts. */
export interface PairStores {
  readonly requests: Pick<BalanceStore, "hold" | "settle">;
  readonly accounts: Pick<BalanceStore, "credit">;
}

/** Pairs of a hold and its settlement that a store completes in a second, after a quarter of the time to warm up. */
export async function measurePairs(store: BalanceStore, load: Load): Promise<number> {
  return measurePairsOf({ requests: store, accounts: store }, load);
}

/** Measures a store of requests, whose accounts are credited in another one. */
export async function measurePairsOf(
  { requests: store, accounts: credited }: PairStores,
  { callers, accounts, seconds, onWarm }: Load,
): Promise<number> {
  const names = Array.from({ length: accounts }, (_, place) => `account-${place}`);
  for (const account of names) {
    await credited.credit({ id: `credit ${account}`, account, amount: 10n ** 15n, reason: "bench" });
  }
  const begin = performance.now() + 250 * seconds;
  const end = begin + 1_000 * seconds;
  if (onWarm !== undefined) setTimeout(onWarm, 250 * seconds);
  let pairs = 0;
  const call = async (caller: number) => {
    for (let turn = caller; performance.now() < end; turn += callers) {
      await completePair(store, names[turn % accounts] ?? "");
      if (performance.now() >= begin) pairs += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return pairs / seconds;
}

async function completePair(store: PairStores["requests"], account: string): Promise<void> {
  const id = crypto.randomUUID();
  const held = await store.hold({ id, account, keyId: "key", amount: 100n, leaseMs: 60_000, ...plainHold });
  const ended = await store.settle(id, 60n, chargeReceipt);
  if (held.outcome !== "held" || ended.outcome !== "ended") throw new Error("The store refused what it can pay for.");
}
