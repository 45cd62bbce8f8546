import type { Tables } from "../schema.ts";

/** Waits until no other transaction adds shards. */
export const lockShardsStatement = ({ schema }: Tables): string =>
  `SELECT pg_advisory_xact_lock(hashtextextended('tollgate shards of ${schema}', 0))::text`;

/** Adds the shards $1 that are missing. The first ones are open for new accounts, later ones are not. */
export function addShardsStatement({ directoryShard }: Tables): string {
  return `
INSERT INTO ${directoryShard} (name, number, is_open)
SELECT name, coalesce((SELECT max(number) FROM ${directoryShard}), -1) + row_number() OVER (ORDER BY place),
       NOT EXISTS (SELECT FROM ${directoryShard})
  FROM unnest($1::text[]) WITH ORDINALITY AS added (name, place)
 WHERE name NOT IN (SELECT name FROM ${directoryShard})`;
}

/** Selects the shards in the order in which they were added, and whether each may have accounts. */
export function listShardsStatement({ directoryShard, directoryAccount }: Tables): string {
  return `
SELECT name, number::text AS number, token, is_open::text AS is_open,
       (is_open OR EXISTS (SELECT FROM ${directoryAccount} WHERE shard = name)
                OR EXISTS (SELECT FROM ${directoryAccount} WHERE moving_to = name))::text AS is_used
  FROM ${directoryShard} ORDER BY number`;
}

/** Counts the accounts of each shard, in the order in which the shards were added. */
export function countAccountsStatement({ directoryShard, directoryAccount }: Tables): string {
  return `
SELECT name, is_open::text AS is_open, (SELECT count(*) FROM ${directoryAccount} WHERE shard = name)::text AS accounts
  FROM ${directoryShard} ORDER BY number`;
}

/** Opens or closes shard $1 for new accounts. Returns its name if it exists. */
export function openShardStatement({ directoryShard }: Tables): string {
  return `UPDATE ${directoryShard} SET is_open = $2::boolean WHERE name = $1 RETURNING name`;
}

/** Selects the shard of account $1. */
export function findAccountStatement({ directoryAccount }: Tables): string {
  return `SELECT shard, moving_to FROM ${directoryAccount} WHERE id = $1`;
}

/**
 * Assigns account $1 to the open shard whose hash with the account is the least, so that another shard takes its part of the
 * new accounts evenly from all, and returns its shard. Returns no row if a concurrent call has assigned it: a second statement
 * sees that.
 */
export function assignAccountStatement({ directoryAccount, directoryShard }: Tables): string {
  return `
WITH known AS (
  SELECT shard, moving_to FROM ${directoryAccount} WHERE id = $1
), assigned AS (
  INSERT INTO ${directoryAccount} (id, shard)
  SELECT $1, name FROM ${directoryShard} WHERE is_open AND NOT EXISTS (SELECT FROM known)
   ORDER BY hashtextextended($1 || ' ' || name, 0) LIMIT 1
      ON CONFLICT (id) DO NOTHING
  RETURNING shard, moving_to
)
SELECT shard, moving_to FROM known UNION ALL SELECT shard, moving_to FROM assigned`;
}

/**
 * Assigns the accounts $1, which have data in shard $2, to it, unless they were assigned before. Returns how many it assigned.
 */
export function adoptAccountsStatement({ directoryAccount }: Tables): string {
  return `
WITH adopted AS (
  INSERT INTO ${directoryAccount} (id, shard) SELECT DISTINCT id, $2 FROM unnest($1::text[]) AS id
      ON CONFLICT (id) DO NOTHING
  RETURNING 1
)
SELECT count(*)::text AS adopted FROM adopted`;
}

/** Adds keys that a database has: $1 digests, $2 ids, $3 accounts, $4 sequence numbers. */
export function adoptKeysStatement({ directoryKey }: Tables): string {
  return `
INSERT INTO ${directoryKey} (digest, key_id, account_id, sequence)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
    ON CONFLICT DO NOTHING`;
}

/** Adds the digest $1 of key $2 of account $3, and returns the sequence number of the key. It can run twice. */
export function addKeyStatement({ directoryKey }: Tables): string {
  return `
INSERT INTO ${directoryKey} (digest, key_id, account_id) VALUES ($1, $2, $3)
    ON CONFLICT (digest) DO UPDATE SET key_id = excluded.key_id
RETURNING sequence::text AS sequence`;
}

/** Removes the digest $1 of a key that was not created. */
export function removeKeyStatement({ directoryKey }: Tables): string {
  return `DELETE FROM ${directoryKey} WHERE digest = $1`;
}

const keyColumns = "key.key_id, key.account_id, key.sequence::text AS sequence, account.shard";

/** Selects the key with the digest $1, and its shard. */
export function keyOfDigestStatement({ directoryKey, directoryAccount }: Tables): string {
  return `SELECT ${keyColumns} FROM ${directoryKey} AS key JOIN ${directoryAccount} AS account ON account.id = key.account_id WHERE key.digest = $1`;
}

/** Selects the key with the id $1, and its shard. */
export function keyOfIdStatement({ directoryKey, directoryAccount }: Tables): string {
  return `SELECT ${keyColumns} FROM ${directoryKey} AS key JOIN ${directoryAccount} AS account ON account.id = key.account_id WHERE key.key_id = $1`;
}

/**
 * Claims the id $1 of a credit or debit for account $2, and returns the account that has it. Returns no row if a concurrent call
 * has claimed it: a second statement sees that.
 */
export function claimPostingStatement({ directoryPosting }: Tables): string {
  return `
WITH claimed AS (
  INSERT INTO ${directoryPosting} (id, account_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING account_id
)
SELECT account_id FROM claimed UNION ALL SELECT account_id FROM ${directoryPosting} WHERE id = $1`;
}
