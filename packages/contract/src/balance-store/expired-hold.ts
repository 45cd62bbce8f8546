import type { HoldRequest } from "@tollgate/core/store";
import type { BalanceContext } from "./context.ts";

/** Returns the id of a hold that has expired after it reported its use. */
export async function expiredHold(
  context: BalanceContext,
  amount: bigint,
  used: bigint,
  overrides?: Partial<HoldRequest>,
): Promise<string> {
  const id = await context.held(amount, overrides);
  await endByLease(context, id, used);
  return id;
}

/** Lets the lease of a hold expire after it has reported its use. */
export async function endByLease({ account, store, wait }: BalanceContext, id: string, used: bigint): Promise<void> {
  await store.renew([{ id, account, used }], 20);
  await wait(40);
  await store.expire();
}
