import { balanceStoreContract } from "@tollgate/contract";
import { memoryBalanceStore } from "@tollgate/core";
import { describe, it } from "vitest";
import { shardedBalanceStore } from "../bench/scaling/sharded-balance-store.ts";

/**
 * Accounts of the suite have random names. Those of one case share the beginning, and so the shard: the id of a posting is
 * known to one shard only. A missing account is refused by any shard.
 */
const shardOf = (account: string): number => (String(account).charCodeAt("account-".length) || 0) % 2;

balanceStoreContract({
  test: { describe, it },
  create: () => ({ store: shardedBalanceStore([memoryBalanceStore(), memoryBalanceStore()], shardOf) }),
});
