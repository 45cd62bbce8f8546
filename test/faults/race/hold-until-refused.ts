import { randomUUID } from "node:crypto";
import type { BalanceStore, HoldSpend } from "@tollgate/core/store";
import { plainHold } from "../../../packages/core/test-support/receipts.ts";

/** The amount of a hold in the race, in nano-units. */
export const amount = 1_007n;

/** Makes concurrent clients of this process hold until each is refused. Resolves with the number of holds. */
export async function holdUntilRefused(
  store: BalanceStore,
  account: string,
  clients: number,
  spend: HoldSpend = {},
): Promise<number> {
  const admitted = await Promise.all(Array.from({ length: clients }, () => holdAlone(store, account, spend)));
  return admitted.reduce((sum, each) => sum + each, 0);
}

async function holdAlone(store: BalanceStore, account: string, spend: HoldSpend): Promise<number> {
  for (let admitted = 0; ; admitted++) {
    const id = randomUUID();
    const { outcome } = await store.hold({ id, account, keyId: "key", amount, leaseMs: 60_000, ...plainHold, spend });
    if (outcome !== "held") return admitted;
  }
}
