import { millisecondsOf } from "../row.ts";
import type { Tables } from "../schema.ts";
import { leaseEnd } from "./hold.ts";

/** The columns of a session, as its reader wants them. */
export const sessionColumns = `session.id, session.account_id, session.assistant_id, session.client_data,
       ${millisecondsOf("session.created_at")} AS created_at, ${millisecondsOf("session.updated_at")} AS updated_at`;

/** True of the session $1 of account $2 while it lives, by the clock and not by when the statement began. */
export const isKnown = "session.id = $1 AND session.account_id = $2 AND session.expires_at > clock_timestamp()";

/** When a session ends that is used now. */
export const freshEnd: string = leaseEnd("session.ttl_ms");

/** How many logs a session keeps, the newest ones. */
export const keptLogs = 1_000;

/** Now, in whole milliseconds, as JavaScript has them. */
export const now = "date_trunc('milliseconds', clock_timestamp())";

/**
 * Makes the session $1 of account $2: $3 assistant, $4 client data, $5 time to live in milliseconds, $6 the id of this
 * call. One row: the session; none when the id is taken. Run twice by one call it makes one, and gives it both times.
 */
export function createSessionStatement({ session }: Tables): string {
  return `
WITH clock AS MATERIALIZED (
  SELECT ${now} AS now
), made AS (
  INSERT INTO ${session} (id, account_id, assistant_id, client_data, ttl_ms, version, created_at, updated_at, expires_at)
  SELECT $1, $2, $3, $4, $5::bigint, $6, clock.now, clock.now, ${leaseEnd("$5::bigint")} FROM clock
      ON CONFLICT (id) DO NOTHING
  RETURNING *
)
SELECT ${sessionColumns} FROM made AS session
 UNION ALL
SELECT ${sessionColumns} FROM ${session} AS session WHERE id = $1 AND version = $6`;
}

/** The session $1 of account $2, and the version of its client data. */
export function findSessionStatement({ session }: Tables): string {
  return `SELECT ${sessionColumns}, session.version FROM ${session} AS session WHERE ${isKnown}`;
}

/**
 * Gives the session $1 of account $2 the client data $3 and the version $4, if it still has version $5. One row: the
 * session; none when it changed meanwhile or is not there. Run twice it does so once more, to the same end.
 */
export function changeClientDataStatement({ session }: Tables): string {
  return `
UPDATE ${session} AS session
   SET client_data = $3, version = $4, updated_at = ${now}, expires_at = ${freshEnd}
 WHERE ${isKnown} AND session.version IN ($4, $5)
RETURNING ${sessionColumns}`;
}

/**
 * Ends the life of the session $1 of account $2: from here on it is unknown. $3 the id of this call. A row when there
 * was one, also when the call runs it twice.
 */
export function endSessionStatement({ session }: Tables): string {
  return `
UPDATE ${session} AS session SET version = $3, expires_at = '-infinity'
 WHERE session.id = $1 AND session.account_id = $2 AND (session.expires_at > clock_timestamp() OR session.version = $3)
RETURNING session.id`;
}

/** Removes the session $1 whose life the call $2 has ended, with all that it has. */
export function removeSessionStatement({ session }: Tables): string {
  return `DELETE FROM ${session} WHERE id = $1 AND version = $2 AND expires_at = '-infinity'`;
}

/**
 * Removes sessions whose time has run out, the longest overdue first, with all that they have: at most $1 of them, and
 * no further one after so many rows as $2 have gone with them. One row: how many were `expired`. A session that someone
 * works on is passed over, and one that was used meanwhile is left alone.
 */
export function expireSessionsStatement({ session }: Tables): string {
  return `
WITH due AS MATERIALIZED (
  SELECT id, expires_at, last_message + least(last_log, ${keptLogs}) AS size
    FROM ${session} WHERE expires_at <= now() ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED
), chosen AS MATERIALIZED (
  SELECT id, sum(size) OVER (ORDER BY expires_at, id) - size AS rows_before FROM due
), expired AS (
  DELETE FROM ${session} AS session USING chosen
   WHERE session.id = chosen.id AND chosen.rows_before <= $2::int
  RETURNING session.id
)
SELECT count(*)::text AS expired FROM expired`;
}
