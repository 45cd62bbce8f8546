import { TextRow } from "@tollgate/core/internal";
import type { Credit, PostingResult } from "@tollgate/core/store";
import type { PostgresClient } from "../pool.ts";
import { AccountMovingError, isFenced } from "./moving-error.ts";
import type { Shard } from "./shard.ts";
import { readShardStatement } from "./shard-statements.ts";
import type { Shards } from "./shards.ts";

/**
 * Posts a credit or debit in the transaction of the host on a client, which must be connected to the shard of the account.
 * Nothing is repeated for the host if the account moves.
 */
export async function postInTransaction<Posting extends Pick<Credit, "id" | "account">>(
  shards: Shards,
  client: PostgresClient,
  posting: Posting,
  post: (postings: ReturnType<Shard["balances"]["inTransaction"]>) => PromiseLike<PostingResult> | PostingResult,
): Promise<PostingResult> {
  const { id, account } = posting;
  const { directory } = shards;
  const shard = shards.get((await directory.assign(account)).shard);
  const postings = shard.balances.inTransaction(client);
  await requireShard(client, shard, account);
  if (!(await directory.claimPosting(id, account))) return { outcome: "conflict" };
  try {
    return await post(postings);
  } catch (error) {
    if (!isFenced(error)) throw error;
    await directory.refresh(account);
    throw new AccountMovingError(account);
  }
}

async function requireShard(client: PostgresClient, shard: Shard, account: string): Promise<void> {
  const { rows } = await client.query({ text: readShardStatement(shard.database.tables) });
  const connected = new TextRow(rows[0]).optionalText("name");
  if (connected === shard.name) return;
  throw new RangeError(
    `The client of \`inTransaction\` is connected to the shard "${connected}", and the account "${account}" is in the shard "${shard.name}". Begin the transaction on a client of the shard that \`shards.shardOf(account)\` returns.`,
  );
}
