import type { Tables } from "../schema.ts";
import { millisecondsOf, timestampOf } from "./times.ts";

/** The columns of a key, which the query calls `key`. */
const columnsOf = (
  tables: Tables,
): string => `id, account_id, plan, name, last_four, models::text AS models, features::text AS features,
       sequence::text AS sequence, dialects::text AS dialects, scopes::text AS scopes, limits::text AS limits, spend::text AS spend, tags, log_content::text AS log_content,
       ${millisecondsOf("created_at")} AS created_at, ${millisecondsOf("expires_at")} AS expires_at, ${millisecondsOf("revoked_at")} AS revoked_at, rotated_from, ${limitsIdOf(tables, "key")} AS limits_id`;

/** Processes of older versions rotate keys without this id. It is then that of the key they replaced. */
const limitsIdOf = ({ apiKey }: Tables, key: string): string => `coalesce(${key}.limits_id,
       (SELECT coalesce(replaced.limits_id, replaced.id) FROM ${apiKey} AS replaced WHERE replaced.id = ${key}.rotated_from))`;

const members = "name, models, features, dialects, scopes, limits, spend, tags, log_content, expires_at";

const now = "date_trunc('milliseconds', now())";

/** Selects the key with the digest $1. */
export function findKeyStatement(tables: Tables): string {
  return `SELECT ${columnsOf(tables)} FROM ${tables.apiKey} AS key WHERE digest = $1`;
}

/** Selects the key with the id $1. */
export function readKeyStatement(tables: Tables): string {
  return `SELECT ${columnsOf(tables)} FROM ${tables.apiKey} AS key WHERE id = $1`;
}

/**
 * Selects at most $3 keys, oldest first, after the key $2 (null: from the first), or after the sequence number $6 unless that
 * is null. Null selects all: $1 the account, $4 the state, $5 a part of the id, the name or the last four characters.
 */
export function listKeysStatement(tables: Tables): string {
  const { apiKey } = tables;
  return `
SELECT ${columnsOf(tables)} FROM ${apiKey} AS key
 WHERE ($1::text IS NULL OR account_id = $1)
   AND sequence > coalesce($6::bigint, (SELECT sequence FROM ${apiKey} WHERE id = $2), 0)
   AND ($4::text IS NULL OR $4 = CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                                      WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END)
   AND ($5::text IS NULL OR ${["id", "name", "last_four"].map(containsSearch).join(" OR ")})
 -- Qualified, because the bare name refers to the text column.
 ORDER BY key.sequence LIMIT $3::bigint`;
}

/**
 * Selects the plans of at most $3 accounts that have keys, after id $1 and beginning with $2, with their newest active key.
 * The column compares by bytes.
 */
export function accountsWithKeysStatement({ apiKey }: Tables): string {
  return `
SELECT account_id, plan,
       (max(sequence) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())))::text AS newest
  FROM ${apiKey}
 WHERE account_id IN (SELECT DISTINCT account_id FROM ${apiKey}
                       WHERE account_id > $1 AND starts_with(account_id, $2) ORDER BY account_id LIMIT $3::bigint)
 GROUP BY account_id, plan
 ORDER BY account_id, max(sequence) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())) DESC NULLS LAST`;
}

// In the collation "C", lower() changes only the letters A to Z.
const containsSearch = (column: string): string =>
  `strpos(lower(${column} COLLATE "C"), lower($5::text COLLATE "C")) > 0`;

/**
 * Creates a key: $1 id, $2 digest, $3 last four, $4 account, $5 plan, $6 name, $7 models, $8 features, $9 dialects, $10
 * scopes, $11 limits, $12 spend limit and $13 tags as JSON, $14 whether content is logged, $15 expiry in milliseconds since the epoch.
 * In a shard, $16 is its sequence number. Returns one row, the key. When it runs twice, it creates one key and returns it both times. It sends no notification,
 * since no process can have cached the key.
 */
export function createKeyStatement(tables: Tables): string {
  const { apiKey } = tables;
  const sequence = givenSequence(tables, "$16");
  const columns = columnsOf(tables);
  return `
WITH made AS (
  INSERT INTO ${apiKey} (id, digest, last_four, account_id, plan, ${members}${sequence.column}) ${sequence.overriding}
  VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9::jsonb, $10::jsonb, $11::jsonb, $12::jsonb, $13,
          $14::boolean, ${timestampOf("$15")}${sequence.value})
      ON CONFLICT (id) DO NOTHING
  RETURNING *
)
SELECT ${columns} FROM made AS key UNION ALL SELECT ${columns} FROM ${apiKey} AS key WHERE id = $1`;
}

/** The parts of an insert that give a key its sequence number. A shard does not number keys itself. */
const givenSequence = ({ isShard }: Tables, parameter: string) =>
  isShard
    ? { column: ", sequence", overriding: "OVERRIDING SYSTEM VALUE", value: `, ${parameter}::bigint` }
    : { column: "", overriding: "", value: "" };

/** Waits until no other transaction creates keys within a number for the account $1. */
export const lockKeysStatement = ({ schema }: Tables): string =>
  `SELECT pg_advisory_xact_lock(hashtextextended('tollgate keys of ${schema}:' || $1, 0))::text`;

/** Counts the active keys of the account $1 in the plan $2, without the key $3, which an earlier try may have created. */
export const countActiveKeysStatement = ({ apiKey }: Tables): string => `
SELECT count(*)::text AS active FROM ${apiKey}
 WHERE account_id = $1 AND plan = $2 AND id <> $3
   AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`;

/**
 * Changes the members of the key $1 whose columns are in the list $2, and notifies channel $3. Their new values: $4 name,
 * $5 models, $6 features, $7 dialects, $8 scopes, $9 limits, $10 spend limit and $11 tags as JSON, $12 whether content is logged,
 * $13 expiry in milliseconds since the epoch. Returns the key, or no row if it does not exist. It can run twice.
 */
export function changeKeyStatement(tables: Tables): string {
  const { apiKey } = tables;
  const changed = (column: string, value: string) =>
    `${column} = CASE WHEN '${column}' = ANY ($2::text[]) THEN ${value} ELSE ${column} END`;
  return `
WITH changed AS (
  UPDATE ${apiKey}
     SET ${changed("name", "$4::text")}, ${changed("models", "$5::jsonb")}, ${changed("features", "$6::jsonb")},
         ${changed("dialects", "$7::jsonb")}, ${changed("scopes", "$8::jsonb")}, ${changed("limits", "$9::jsonb")},
         ${changed("spend", "$10::jsonb")}, ${changed("tags", "$11::text")}, ${changed("log_content", "$12::boolean")},
         ${changed("expires_at", timestampOf("$13"))}
   WHERE id = $1
  RETURNING *
)
SELECT ${columnsOf(tables)}, pg_notify($3, id)::text FROM changed AS key`;
}

/**
 * Revokes the key $1 and notifies channel $2. Returns the key, or no row if it is already revoked or does not exist.
 */
export function revokeKeyStatement(tables: Tables): string {
  const { apiKey } = tables;
  return `
WITH revoked AS (
  UPDATE ${apiKey} SET revoked_at = ${now} WHERE id = $1 AND revoked_at IS NULL RETURNING *
)
SELECT ${columnsOf(tables)}, pg_notify($2, id)::text FROM revoked AS key`;
}

/**
 * Replaces the key $1 with a new key of the same permissions: $2 its id, $3 its digest, $4 its last four. The old key
 * expires in $5 milliseconds, unless it expires sooner; channel $6 is notified. In a shard, $7 is the sequence number of the new key. Returns the new key, or no row if the
 * old key has ended or does not exist. When it runs twice, it creates one key and returns it both times.
 */
export function rotateKeyStatement(tables: Tables): string {
  const { apiKey } = tables;
  const columns = columnsOf(tables);
  const sequence = givenSequence(tables, "$7");
  return `
WITH old AS (
  SELECT * FROM ${apiKey}
   WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
     FOR UPDATE
), ending AS (
  UPDATE ${apiKey} AS api_key SET expires_at = least(old.expires_at, ${now} + $5::bigint * interval '1 millisecond')
    FROM old WHERE api_key.id = old.id
), made AS (
  INSERT INTO ${apiKey} (id, digest, last_four, account_id, plan, ${members}, created_at, rotated_from, limits_id${sequence.column}) ${sequence.overriding}
  SELECT $2, $3, $4, account_id, plan, ${members}, ${now}, id, coalesce(${limitsIdOf(tables, "old")}, id)${sequence.value} FROM old
      ON CONFLICT (id) DO NOTHING
  RETURNING *
)
SELECT ${columns}, pg_notify($6, rotated_from)::text FROM made AS key
 UNION ALL
SELECT ${columns}, NULL FROM ${apiKey} AS key WHERE id = $2`;
}
