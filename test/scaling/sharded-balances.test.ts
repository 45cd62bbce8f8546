import { balanceStoreContract } from "@tollgate/contract";
import { memoryBalanceStore } from "@tollgate/core";
import { describe, it } from "vitest";
import { shardedBalanceStore } from "../bench/scaling/sharded-balance-store.ts";

/** Accounts of the suite have random names. */
const shardOf = (account: string): number => account.charCodeAt(account.length - 1) % 2;

balanceStoreContract({
  test: { describe, it },
  create: () => ({ store: shardedBalanceStore([memoryBalanceStore(), memoryBalanceStore()], shardOf) }),
});
