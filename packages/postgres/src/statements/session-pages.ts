import type { Tables } from "../schema.ts";
import { fitting } from "./fitting.ts";
import { isKnown, keptLogs, sessionColumns } from "./sessions.ts";
import { millisecondsOf, timestampOf } from "./times.ts";

/**
 * Adds the log $4 to the session $1 of account $2 and removes logs older than its newest 1,000. $3 is the id of this
 * call, which adds the log only once if it is repeated. Returns a row if there is such a session.
 */
export function appendLogStatement({ session, sessionLog, sessionAccount }: Tables): string {
  return `
WITH same AS MATERIALIZED (
  SELECT session_id FROM ${sessionLog} WHERE call = $3
), seen AS MATERIALIZED (
  SELECT session.id,
         octet_length($4::text) - coalesce((SELECT octet_length(dropped.log) FROM ${sessionLog} AS dropped
                                             WHERE dropped.session_id = session.id
                                               AND dropped.sequence = session.last_log + 1 - ${keptLogs}), 0) AS grown
    FROM ${session} AS session WHERE ${isKnown} AND NOT EXISTS (SELECT 1 FROM same) FOR UPDATE
), counted AS (
  UPDATE ${session} AS session SET last_log = session.last_log + 1, bytes = session.bytes + seen.grown
    FROM seen WHERE session.id = seen.id
  RETURNING session.id, session.last_log, seen.grown
), charged AS (
  UPDATE ${sessionAccount} AS account SET bytes = account.bytes + counted.grown FROM counted WHERE account.account_id = $2
), written AS (
  INSERT INTO ${sessionLog} (session_id, sequence, call, log)
  SELECT counted.id, counted.last_log, $3, $4 FROM counted
      ON CONFLICT (call) DO NOTHING
), removed AS (
  DELETE FROM ${sessionLog} AS old USING counted
   WHERE old.session_id = counted.id AND old.sequence <= counted.last_log - ${keptLogs}
)
SELECT counted.id FROM counted UNION ALL SELECT same.session_id FROM same`;
}

/**
 * Selects the first $4 messages of the session $1 of account $2 after sequence $3, oldest first, limited to $5 bytes
 * (null: unlimited). Each row has the number `found`. Returns one row of NULLs if the session has none.
 */
export function messagesStatement({ session, sessionMessage }: Tables): string {
  return `
SELECT page.sequence::text AS sequence, ${millisecondsOf("page.at")} AS at, page.message, page.found
  FROM ${session} AS session
  LEFT JOIN LATERAL (
    ${fitting(
      `SELECT * FROM ${sessionMessage} AS stored
        WHERE stored.session_id = session.id AND stored.sequence > $3::bigint ORDER BY stored.sequence LIMIT $4::bigint`,
      "message",
      "row.sequence",
      "$5",
    )}
  ) AS page ON true
 WHERE ${isKnown}
 ORDER BY page.sequence`;
}

/**
 * Selects the newest $4 logs of the session $1 of account $2 before sequence $3 (null: all), newest first, limited to
 * $5 bytes (null: unlimited). Each row has the number `found`. Returns one row of NULLs if the session has none.
 */
export function logsStatement({ session, sessionLog }: Tables): string {
  return `
SELECT page.sequence::text AS sequence, page.log, page.found
  FROM ${session} AS session
  LEFT JOIN LATERAL (
    ${fitting(
      `SELECT * FROM ${sessionLog} AS stored
        WHERE stored.session_id = session.id AND stored.sequence > session.last_log - ${keptLogs}
          AND ($3::bigint IS NULL OR stored.sequence < $3::bigint)
        ORDER BY stored.sequence DESC LIMIT $4::bigint`,
      "log",
      "row.sequence DESC",
      "$5",
    )}
  ) AS page ON true
 WHERE ${isKnown}
 ORDER BY page.sequence DESC`;
}

/**
 * Selects the newest $4 sessions of account $1 (null: of all) and assistant $6 (null: of all), newest first, limited to $5 bytes of client data (null: unlimited).
 * They come after the position of the time $2, in milliseconds, and the id $3 (null: from the newest). Each row has the
 * number `found`.
 */
export function listSessionsStatement({ session }: Tables): string {
  const rows = `SELECT * FROM ${session} AS stored
        WHERE ($1::text IS NULL OR stored.account_id = $1) AND ($6::text IS NULL OR stored.assistant_id = $6)
          AND stored.expires_at > clock_timestamp()
          AND ($2::text IS NULL OR (stored.created_at, stored.id) < (${timestampOf("$2")}, $3::text))
        ORDER BY stored.created_at DESC, stored.id DESC LIMIT $4::bigint`;
  return `
SELECT ${sessionColumns}, session.found
  FROM (${fitting(rows, "client_data", "row.created_at DESC, row.id DESC", "$5")}) AS session
 ORDER BY session.created_at DESC, session.id DESC`;
}

/** Selects the session $1 of any account, with its `turns` and the time at which it expires. */
export function sessionOverviewStatement({ session }: Tables): string {
  return `
SELECT ${sessionColumns}, session.turns::text AS turns, ${millisecondsOf("session.expires_at")} AS expires_at
  FROM ${session} AS session WHERE session.id = $1 AND session.expires_at > clock_timestamp()`;
}
