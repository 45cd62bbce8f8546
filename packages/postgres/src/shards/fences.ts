import type { TextRow } from "@tollgate/core/internal";
import type { Database } from "../database.ts";
import type { Tables } from "../schema.ts";
import { fenceLock } from "./fence-tables.ts";

/**
 * What a shard says of an account that is not, or not only, its own. `leaving`: it can be read, and not be changed. `moved`:
 * another shard has it. `arriving`: it is being copied here. Without a fence, the shard has the account, or nobody has it yet.
 */
export type Fence = "leaving" | "moved" | "arriving";

const fences = ["leaving", "moved", "arriving"] as const;

/** Reads the fence of an account in a shard. */
export async function readFence(shard: Database, account: string): Promise<Fence | undefined> {
  const [row] = await shard.run(readFenceStatement, [account]);
  return row && toFence(row);
}

/**
 * Sets the fence of an account in a shard, or removes it. It waits for the statements that are changing the account. When it
 * resolves, no other statement changes the account against the fence. It can run twice.
 */
export async function setFence(shard: Database, account: string, fence: Fence | undefined): Promise<void> {
  await shard.transaction(async (run) => {
    await run(lockFenceStatement, [account]);
    await (fence === undefined ? run(removeFenceStatement, [account]) : run(setFenceStatement, [account, fence]));
  });
}

/** Reads the accounts that are being copied to a shard. */
export async function readArriving(shard: Database): Promise<ReadonlySet<string>> {
  return new Set((await shard.run(arrivingStatement, [])).map((row) => row.text("account_id")));
}

const arrivingStatement = ({ shardFence }: Tables): string =>
  `SELECT account_id FROM ${shardFence} WHERE state = 'arriving'`;

/** Reads the state that {@link readFenceStatement} selects. */
export const toFence = (row: TextRow): Fence => row.oneOf("state", fences);

/** Selects the fence of account $1. */
export const readFenceStatement = ({ shardFence }: Tables): string =>
  `SELECT state FROM ${shardFence} WHERE account_id = $1`;

/** Waits until no statement is changing account $1, and lets none begin until the transaction ends. */
export const lockFenceStatement = (): string => `SELECT pg_advisory_xact_lock(${fenceLock("$1::text")})::text`;

/** Sets the fence $2 of account $1, which the transaction has locked. */
export const setFenceStatement = ({ shardFence }: Tables): string => `
INSERT INTO ${shardFence} (account_id, state) VALUES ($1, $2)
    ON CONFLICT (account_id) DO UPDATE SET state = excluded.state, since = clock_timestamp()`;

/** Removes the fence of account $1, which the transaction has locked. */
export const removeFenceStatement = ({ shardFence }: Tables): string =>
  `DELETE FROM ${shardFence} WHERE account_id = $1`;
