import type { UsageRow } from "@tollgate/core/store";
import type { ShardedStores } from "@tollgate/postgres";
import { expect } from "vitest";
import { plainHold } from "../../../packages/core/test-support/receipts.ts";
import type { ShardName } from "./clusters.ts";

/** Creates a key of a new account in a shard, with a balance of 1,000 nano-units. Closed shards get no account. */
export async function accountIn(stores: ShardedStores, shard: ShardName) {
  for (;;) {
    const account = `account-${crypto.randomUUID()}`;
    if ((await stores.shards.shardOf(account)) !== shard) continue;
    const { key, secret } = await stores.keys.create({ account, plan: "basic" });
    await stores.balances.credit({ id: crypto.randomUUID(), account, amount: 1_000n, reason: "test" });
    return { account, keyId: key.id, secret };
  }
}

/** Requests a hold of 100 nano-units, and returns its outcome with its id. */
export async function hold(
  { balances }: ShardedStores,
  of: { readonly account: string; readonly keyId: string },
  leaseMs = 60_000,
) {
  const id = crypto.randomUUID();
  const request = { id, account: of.account, keyId: of.keyId, amount: 100n, leaseMs, ...plainHold };
  return { id, outcome: (await balances.hold(request)).outcome };
}

/** Fails unless the account has this posted balance. */
export async function expectPosted({ balances }: ShardedStores, account: string, posted: bigint): Promise<void> {
  expect((await balances.balance(account)).posted).toBe(posted);
}

/** A row of usage of a request that has just ended. */
export function usageRow({ account, keyId }: { readonly account: string; readonly keyId: string }): UsageRow {
  return {
    id: crypto.randomUUID(),
    at: new Date(),
    requestId: "req",
    account,
    keyId,
    plan: "basic",
    endpoint: "chat.completions",
    dialect: "chat",
    status: 200,
    ending: "complete",
    tokens: { input: 1, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
    estimated: false,
    cost: 1n,
    durationMs: 1,
    attempts: 1,
    tags: [],
    timeline: [],
  };
}
