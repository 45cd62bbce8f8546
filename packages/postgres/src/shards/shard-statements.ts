import type { Tables } from "../schema.ts";

/** Names this database as shard $1 with the token $2, unless it has a name. */
export function nameShardStatement({ shardSelf }: Tables): string {
  return `INSERT INTO ${shardSelf} (name, token) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name`;
}

/** Selects the name and the token of this shard. */
export const readShardStatement = ({ shardSelf }: Tables): string => `SELECT name, token FROM ${shardSelf}`;

/** Selects at most $2 ids of accounts that have data in this database, after id $1. */
export function accountsWithDataStatement(tables: Tables): string {
  const { account, apiKey, response, session, termsAcceptance } = tables;
  const ids = [
    [account, "id"],
    ...[apiKey, response, session, termsAcceptance].map((table) => [table, "account_id"] as const),
  ].map(
    ([table, column]) =>
      `(SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} > $1 ORDER BY 1 LIMIT $2::int)`,
  );
  return `SELECT id FROM (${ids.join(" UNION ")}) AS known ORDER BY id LIMIT $2::int`;
}

/** Selects at most $2 keys after the sequence number $1. */
export function keysWithDigestsStatement({ apiKey }: Tables): string {
  return `
SELECT digest, id, account_id, sequence::text AS sequence FROM ${apiKey} AS key
 WHERE key.sequence > $1::bigint ORDER BY key.sequence LIMIT $2::int`;
}
