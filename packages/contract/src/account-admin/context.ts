import type { AccountAdmin, BalanceStore, SpendLimit } from "@tollgate/core/store";
import type { BalanceContext } from "../balance-store/context.ts";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case: that of a BalanceStore, whose store is also an AccountAdmin. */
export type AccountContext = BalanceContext & OpenedWithDefaults<BalanceStore & AccountAdmin>;

/** A limit of the whole life of an account or key. */
export const inTotal = (limit: bigint): SpendLimit => ({ limit, window: "total" });

/** Returns what is spent of a limit by an account or key. */
export async function spentOf(
  { store }: AccountContext,
  scope: "account" | "key",
  id: string,
  limit: SpendLimit,
): Promise<bigint | undefined> {
  const [state] = await store.spendOf([{ scope, id, limit }]);
  return state?.spent;
}
