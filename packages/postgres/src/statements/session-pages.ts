import { millisecondsOf } from "../row.ts";
import type { Tables } from "../schema.ts";
import { isKnown, keptLogs } from "./sessions.ts";

/**
 * Adds the log $4 to the session $1 of account $2 and removes what is older than its newest 1,000. $3 the id of this
 * call, which adds it once however often it runs this. A row if there is such a session.
 */
export function appendLogStatement({ session, sessionLog }: Tables): string {
  return `
WITH counted AS (
  UPDATE ${session} AS session SET last_log = session.last_log + 1 WHERE ${isKnown}
  RETURNING session.id, session.last_log
), written AS (
  INSERT INTO ${sessionLog} (session_id, sequence, call, log)
  SELECT counted.id, counted.last_log, $3, $4 FROM counted
      ON CONFLICT (call) DO NOTHING
), removed AS (
  DELETE FROM ${sessionLog} AS old USING counted
   WHERE old.session_id = counted.id AND old.sequence <= counted.last_log - ${keptLogs}
)
SELECT counted.id FROM counted`;
}

/** At most $4 messages, oldest first, of the session $1 of account $2 after sequence $3. One empty row: it has none. */
export function messagesStatement({ session, sessionMessage }: Tables): string {
  return `
SELECT page.sequence::text AS sequence, ${millisecondsOf("page.at")} AS at, page.message
  FROM ${session} AS session
  LEFT JOIN LATERAL (
    SELECT * FROM ${sessionMessage} AS stored
     WHERE stored.session_id = session.id AND stored.sequence > $3::bigint ORDER BY stored.sequence LIMIT $4::bigint
  ) AS page ON true
 WHERE ${isKnown}
 ORDER BY page.sequence`;
}

/** At most $4 logs, newest first, of the session $1 of account $2 before sequence $3 (null: all). One empty row: it has none. */
export function logsStatement({ session, sessionLog }: Tables): string {
  return `
SELECT page.sequence::text AS sequence, page.log
  FROM ${session} AS session
  LEFT JOIN LATERAL (
    SELECT * FROM ${sessionLog} AS stored
     WHERE stored.session_id = session.id AND stored.sequence > session.last_log - ${keptLogs}
       AND ($3::bigint IS NULL OR stored.sequence < $3::bigint)
     ORDER BY stored.sequence DESC LIMIT $4::bigint
  ) AS page ON true
 WHERE ${isKnown}
 ORDER BY page.sequence DESC`;
}
