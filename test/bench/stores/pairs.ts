import type { BalanceStore, HoldRequest, KeyAdmin } from "@tollgate/core/store";
import { chargeReceipt, plainHold } from "../../../packages/core/test-support/receipts.ts";

/** How a store is asked. */
export interface Load {
  readonly callers: number;
  readonly accounts: number;
  readonly seconds: number;
  /** Called when the pairs begin to count. */
  readonly onWarm?: () => void;
}

/** A store of balances, and that of the keys if holds check them. */
export interface PairStores {
  readonly balances: Pick<BalanceStore, "hold" | "settle" | "credit">;
  readonly keys?: Pick<KeyAdmin, "create">;
}

/** An account, and the key that its holds name. */
type Payer = Pick<HoldRequest, "account" | "keyId">;

/** Pairs of a hold and its settlement that a store completes in a second, after a quarter of the time to warm up. */
export async function measurePairsOf(
  stores: PairStores,
  { callers, accounts, seconds, onWarm }: Load,
): Promise<number> {
  const payers: Payer[] = [];
  for (let place = 0; place < accounts; place++) payers.push(await createPayer(stores, `account-${place}`));
  const begin = performance.now() + 250 * seconds;
  const end = begin + 1_000 * seconds;
  if (onWarm !== undefined) setTimeout(onWarm, 250 * seconds);
  let pairs = 0;
  const call = async (caller: number) => {
    for (let turn = caller; performance.now() < end; turn += callers) {
      const payer = payers[turn % accounts];
      if (payer !== undefined) await completePair(stores, payer);
      if (performance.now() >= begin) pairs += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return pairs / seconds;
}

async function createPayer({ balances, keys }: PairStores, account: string): Promise<Payer> {
  await balances.credit({ id: `credit ${account}`, account, amount: 10n ** 15n, reason: "bench" });
  const created = await keys?.create({ account, plan: "prepaid" });
  return { account, keyId: created?.key.id ?? "key" };
}

async function completePair({ balances }: PairStores, { account, keyId }: Payer): Promise<void> {
  const id = crypto.randomUUID();
  // One literal: more spreads would cost more than a store in memory does.
  const held = await balances.hold({ id, account, keyId, amount: 100n, leaseMs: 60_000, ...plainHold });
  const ended = await balances.settle({ id, account }, 60n, chargeReceipt);
  if (held.outcome !== "held" || ended.outcome !== "ended") throw new Error("The store refused what it can pay for.");
}
