import type { Tables } from "../schema.ts";
import { unfenced } from "./fencing.ts";
import { leaseEnd } from "./hold.ts";
import { millisecondsOf } from "./times.ts";

/** The columns that `toSession` reads. */
export const sessionColumns = `session.id, session.account_id, session.assistant_id, session.client_data,
       ${millisecondsOf("session.created_at")} AS created_at, ${millisecondsOf("session.updated_at")} AS updated_at`;

/**
 * A condition: the row is the session $1 of account $2 and has not expired, by the clock and not by the statement's
 * start.
 */
export const isKnown = "session.id = $1 AND session.account_id = $2 AND session.expires_at > clock_timestamp()";

/** The new expiry of a session that is used now. */
export const freshEnd: string = leaseEnd("session.ttl_ms");

/** How many logs a session keeps; older ones are deleted. */
export const keptLogs = 1_000;

/** The current time in whole milliseconds, like a JavaScript Date. */
export const now = "date_trunc('milliseconds', clock_timestamp())";

/**
 * Creates the session $1 of account $2: $3 assistant, $4 client data, $5 time to live in milliseconds, $6 the id of
 * this call, $7 and $8 the largest number of sessions and bytes of the account (null: unlimited). Returns one row with
 * its `outcome`: `created` with the session, also if the call is repeated; `taken` if the id is in use; `sessions` or
 * `bytes` for the limit that is reached. A concurrent creation of the same session fails with a unique violation.
 */
export function createSessionStatement({ session, sessionAccount }: Tables): string {
  return `
WITH clock AS MATERIALIZED (
  SELECT ${now} AS now
), same AS MATERIALIZED (
  SELECT * FROM ${session} WHERE id = $1
), counted AS (
  INSERT INTO ${sessionAccount} AS account (account_id, sessions, bytes)
  SELECT $2, 1, octet_length($4::text)
   WHERE NOT EXISTS (SELECT 1 FROM same) AND 1 <= coalesce($7::bigint, 1)
     AND octet_length($4::text) <= coalesce($8::bigint, octet_length($4::text))
      ON CONFLICT (account_id) DO UPDATE
     SET sessions = account.sessions + 1, bytes = account.bytes + excluded.bytes
   WHERE account.sessions + 1 <= coalesce($7::bigint, account.sessions + 1)
     AND account.bytes + excluded.bytes <= coalesce($8::bigint, account.bytes + excluded.bytes)
  RETURNING account.account_id
), made AS (
  INSERT INTO ${session}
         (id, account_id, assistant_id, client_data, bytes, ttl_ms, version, created_at, updated_at, expires_at)
  SELECT $1, counted.account_id, $3, $4, octet_length($4::text), $5::bigint, $6, clock.now, clock.now,
         ${leaseEnd("$5::bigint")}
    FROM counted, clock
  RETURNING *
)
SELECT 'created' AS outcome, ${sessionColumns} FROM made AS session
 UNION ALL
SELECT CASE version WHEN $6 THEN 'created' ELSE 'taken' END, ${sessionColumns} FROM same AS session
 UNION ALL
SELECT CASE WHEN coalesce(account.sessions, 0) + 1 > $7::bigint THEN 'sessions' ELSE 'bytes' END,
       NULL, NULL, NULL, NULL, NULL, NULL
  FROM (SELECT 1) AS one LEFT JOIN ${sessionAccount} AS account ON account.account_id = $2
 WHERE NOT EXISTS (SELECT 1 FROM made) AND NOT EXISTS (SELECT 1 FROM same)`;
}

/** Selects the session $1 of account $2 and the version of its client data. */
export function findSessionStatement({ session }: Tables): string {
  return `SELECT ${sessionColumns}, session.version FROM ${session} AS session WHERE ${isKnown}`;
}

/**
 * Sets the client data $3 and the version $4 of the session $1 of account $2, if it still has version $5 and the
 * account stays within $6 bytes (null: unlimited) or the session does not grow. Returns one row with its `outcome`:
 * `merged` with the session, or `full`; no row if the session has changed or does not exist. It is idempotent.
 */
export function changeClientDataStatement({ session, sessionAccount }: Tables): string {
  return `
WITH seen AS MATERIALIZED (
  SELECT session.id, octet_length($3::text) - octet_length(session.client_data) AS grown
    FROM ${session} AS session WHERE ${isKnown} AND session.version IN ($4, $5) FOR UPDATE
), counted AS (
  UPDATE ${sessionAccount} AS account SET bytes = account.bytes + seen.grown FROM seen
   WHERE account.account_id = $2 AND (seen.grown <= 0 OR account.bytes + seen.grown <= coalesce($6::bigint, account.bytes + seen.grown))
  RETURNING account.account_id, seen.grown
), merged AS (
  UPDATE ${session} AS session
     SET client_data = $3, version = $4, bytes = session.bytes + counted.grown, updated_at = ${now}, expires_at = ${freshEnd}
    FROM counted
   WHERE session.id = $1
  RETURNING session.*
)
SELECT CASE WHEN session.id IS NULL THEN 'full' ELSE 'merged' END AS outcome, ${sessionColumns}
  FROM seen LEFT JOIN merged AS session ON true`;
}

/**
 * Expires the session $1 of account $2, so that it is unknown from now on. $3 is the id of this call. Returns a row if
 * there was such a session, also if the call is repeated.
 */
export function endSessionStatement({ session }: Tables): string {
  return `
UPDATE ${session} AS session SET version = $3, expires_at = '-infinity'
 WHERE session.id = $1 AND session.account_id = $2 AND (session.expires_at > clock_timestamp() OR session.version = $3)
RETURNING session.id`;
}

/** Deletes the session $1, which the call $2 has expired, with its messages, images and logs. */
export function removeSessionStatement({ session, sessionAccount }: Tables): string {
  return `
WITH removed AS (
  DELETE FROM ${session} WHERE id = $1 AND version = $2 AND expires_at = '-infinity' RETURNING account_id, bytes
)
UPDATE ${sessionAccount} AS account
   SET sessions = greatest(account.sessions - 1, 0), bytes = greatest(account.bytes - removed.bytes, 0)
  FROM removed WHERE account.account_id = removed.account_id`;
}

/**
 * Deletes expired sessions with their messages, images and logs, the longest overdue first: at most $1 sessions, and no
 * further one once $2 rows are exceeded. Returns one row with the number `expired`. Skips locked sessions and sessions
 * that were used in the meantime.
 */
export function expireSessionsStatement(tables: Tables): string {
  return removeDue(tables, `expires_at <= now() AND ${unfenced(tables, "session.account_id")}`);
}

/** Does the same for the sessions of account $3. */
export function expireAccountStatement(tables: Tables): string {
  return removeDue(tables, "account_id = $3 AND expires_at <= clock_timestamp()");
}

/** Does the same for all sessions of account $3, whether or not they have expired, and waits for locked ones. */
export function forgetSessionsStatement(tables: Tables): string {
  return removeDue(tables, "account_id = $3", "FOR UPDATE");
}

function removeDue({ session, sessionAccount }: Tables, isDue: string, lock = "FOR UPDATE SKIP LOCKED"): string {
  return `
WITH due AS MATERIALIZED (
  SELECT id, expires_at, last_message + least(last_log, ${keptLogs}) AS size
    FROM ${session} WHERE ${isDue} ORDER BY expires_at LIMIT $1::int ${lock}
), chosen AS MATERIALIZED (
  SELECT id, sum(size) OVER (ORDER BY expires_at, id) - size AS rows_before FROM due
), expired AS (
  DELETE FROM ${session} AS session USING chosen
   WHERE session.id = chosen.id AND chosen.rows_before <= $2::int
  RETURNING session.account_id, session.bytes
), gone AS MATERIALIZED (
  SELECT account_id, count(*) AS sessions, sum(bytes)::bigint AS bytes FROM expired GROUP BY account_id
), locked AS MATERIALIZED (
  -- Sorted, so that two concurrent sweeps do not deadlock.
  SELECT account.account_id FROM ${sessionAccount} AS account
   WHERE account.account_id IN (SELECT account_id FROM gone) ORDER BY account.account_id FOR UPDATE
), counted AS (
  UPDATE ${sessionAccount} AS account
     SET sessions = greatest(account.sessions - gone.sessions, 0), bytes = greatest(account.bytes - gone.bytes, 0)
    FROM gone, locked
   WHERE account.account_id = gone.account_id AND locked.account_id = gone.account_id
)
SELECT coalesce(sum(gone.sessions), 0)::text AS expired FROM gone`;
}
