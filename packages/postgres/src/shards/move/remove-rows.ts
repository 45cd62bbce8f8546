import type { RunStatement } from "../../database.ts";
import type { Statement } from "../../schema.ts";
import { removeConversations } from "./conversation-copy.ts";
import type { MovingShard } from "./moving-shard.ts";
import { removeRecords } from "./record-copy.ts";

const batchSize = 2_000;

/**
 * Removes the rows of an account from a shard in batches: those that background work may act on first. It can run again after it
 * was interrupted. Usage and notices stay.
 */
export async function removeRows(shard: MovingShard): Promise<void> {
  const { account } = shard;
  await shard.run(async (run) => {
    // In the order of the statements of the stores, which a process may still send here: the account before its holds.
    await run(lockAccountStatement, [account]);
    await run(removePendingStatement, [account]);
    await removeRecords(run, account);
  });
  while (await shard.run((run) => removeConversations(run, account)));
  for (const statement of [removeEntriesStatement, removeUnchargedStatement]) {
    while (await shard.run((run) => removesSome(run, statement, account)));
  }
}

/** Throws an error if a shard has rows of an account that is in another shard, and that were not copied by a move. */
export async function requireNoRows(shard: MovingShard): Promise<void> {
  if ((await shard.read(foreignRowsStatement)).text("found") !== "true") return;
  throw new Error(
    `The shard "${shard.name}" has rows of the account "${shard.account}", which the directory has in another shard. Check which of both is right before you move it.`,
  );
}

const foreignRowsStatement: Statement = ({ account, apiKey, entry, response, session, termsAcceptance }) => {
  const tables = [apiKey, entry, response, session, termsAcceptance];
  const has = tables.map((table) => `EXISTS (SELECT FROM ${table} WHERE account_id = $1)`);
  return `SELECT (EXISTS (SELECT FROM ${account} WHERE id = $1) OR ${has.join(" OR ")})::text AS found`;
};

async function removesSome(run: RunStatement, statement: Statement, account: string): Promise<boolean> {
  const [row] = await run(statement, [account, batchSize]);
  return row?.text("removed") !== "0";
}

/** Removes the holds that a condition selects, and the counters of their spend limits. */
const removeHolds = (hold: string, spend: string, condition: string): string => `holds AS (
  DELETE FROM ${hold} AS hold WHERE account_id = $1 AND ${condition} RETURNING account_spend, key_spend, token_spend
), counters AS (
  DELETE FROM ${spend} WHERE id IN (
    SELECT account_spend FROM holds UNION SELECT key_spend FROM holds UNION SELECT token_spend FROM holds)
)`;

const lockAccountStatement: Statement = ({ account }) => `SELECT FROM ${account} WHERE id = $1 FOR UPDATE`;

const removePendingStatement: Statement = ({ hold, spend }) => `
WITH ${removeHolds(hold, spend, "state = 'pending'")} SELECT count(*)::text AS removed FROM holds`;

const removeEntriesStatement: Statement = ({ entry, hold, spend }) => `
WITH batch AS MATERIALIZED (
  SELECT sequence, reference FROM ${entry} WHERE account_id = $1 ORDER BY sequence LIMIT $2::int
), ${removeHolds(hold, spend, "id = ANY (ARRAY(SELECT reference FROM batch))")}, removed AS (
  DELETE FROM ${entry} WHERE account_id = $1 AND sequence <= (SELECT max(sequence) FROM batch) RETURNING 1
)
SELECT count(*)::text AS removed FROM removed`;

const removeUnchargedStatement: Statement = ({ hold, spend }) => `
WITH ${removeHolds(
  hold,
  spend,
  `id = ANY (ARRAY(SELECT id FROM ${hold} WHERE account_id = $1 AND state <> 'pending' AND charged = 0 LIMIT $2::int))`,
)} SELECT count(*)::text AS removed FROM holds`;
