import type { Tables } from "../schema.ts";

/**
 * A condition: an account has no fence, so that a sweep may change it. A sweep over many accounts would fail for a fenced one.
 * Always true in a database that is no shard. The column of the account must be qualified.
 */
export const unfenced = ({ isShard, shardFence }: Tables, account: string): string =>
  isShard ? `NOT EXISTS (SELECT FROM ${shardFence} AS fence WHERE fence.account_id = ${account})` : "true";
