import type { Tables } from "../schema.ts";
import { leaseEnd } from "./hold.ts";
import { freshEnd, isKnown, now, sessionColumns } from "./sessions.ts";

// A call that is repeated because its response was lost finds its own lock.
const isFree = `(session.turn_id IS NULL OR session.turn_ends_at <= clock_timestamp()
        OR (session.turn_id = $3 AND session.turn_call = $4))`;

/**
 * Locks the session $1 of account $2: $3 the turn, $4 the id of this call, $5 the lease in milliseconds, $6 the largest
 * number of messages, $7 their largest number of bytes (null: unlimited; the newest turn is always included), $8 the
 * largest number of bytes of the account, and $9 that of the messages and images to read (null: unlimited).
 *
 * Returns no row if there is no such session, and otherwise one with its `outcome`: `begun` with the session, its
 * `messages` and its `images`; `busy`; `full`; `larger` with the `bytes` of messages and images; or `overtaken` if the
 * session changed while the statement waited for it, in which case the call must be retried. The history comes from the statement's snapshot, so the lock is only taken if
 * no turn has ended since.
 */
export function beginTurnStatement({ session, sessionMessage, sessionImages, sessionAccount }: Tables): string {
  return `
WITH seen AS MATERIALIZED (
  SELECT session.id, session.turns, session.last_message - $6::bigint AS cut, ${isFree} AS free,
         coalesce((SELECT bytes FROM ${sessionAccount} WHERE account_id = $2) > $8::bigint, false) AS full
    FROM ${session} AS session WHERE ${isKnown}
), history AS MATERIALIZED (
  -- The octet_length of a text does not read it.
  SELECT min(sized.sequence) AS first, coalesce(sum(sized.bytes), 0) AS bytes
    FROM (SELECT stored.sequence, stored.turn, max(stored.turn) OVER () AS newest, octet_length(stored.message) AS bytes,
                 -- Rows of one turn are peers, so the sum includes the complete turn and all later ones.
                 sum(octet_length(stored.message)) OVER (ORDER BY stored.turn DESC) AS size
            FROM seen JOIN ${sessionMessage} AS stored ON stored.session_id = seen.id AND stored.sequence > seen.cut
             -- The turn of the message before the first one is incomplete, and so excluded.
             AND stored.turn > coalesce((SELECT turn FROM ${sessionMessage} AS before
                                          WHERE before.session_id = seen.id AND before.sequence = seen.cut), 0)
         ) AS sized
   WHERE sized.turn = sized.newest OR sized.size <= coalesce($7::bigint, sized.size)
), size AS MATERIALIZED (
  SELECT history.bytes + coalesce((SELECT sum(octet_length(shown.urls))
                                     FROM seen JOIN ${sessionImages} AS shown ON shown.session_id = seen.id), 0) AS bytes
    FROM history
), begun AS (
  UPDATE ${session} AS session
     SET turn_id = $3, turn_call = $4, turn_ends_at = ${leaseEnd("$5::double precision")}, expires_at = ${freshEnd}
    FROM seen, size
   WHERE seen.free AND NOT seen.full AND size.bytes <= coalesce($9::bigint, size.bytes) AND session.turns = seen.turns AND ${isKnown} AND ${isFree}
  RETURNING session.*
)
SELECT CASE WHEN session.id IS NOT NULL THEN 'begun' WHEN seen.full THEN 'full' WHEN NOT seen.free THEN 'busy'
            WHEN size.bytes > $9::bigint THEN 'larger' ELSE 'overtaken' END AS outcome,
       size.bytes::text AS bytes, ${sessionColumns},
       (SELECT ${jsonArray("stored.message", "stored.sequence")} FROM ${sessionMessage} AS stored
         WHERE stored.session_id = session.id AND stored.sequence >= history.first) AS messages,
       (SELECT ${jsonArray("shown.urls", "shown.turn")}
          FROM ${sessionImages} AS shown WHERE shown.session_id = session.id) AS images
  FROM seen CROSS JOIN history CROSS JOIN size LEFT JOIN begun AS session ON true`;
}

const jsonArray = (json: string, order: string): string =>
  `coalesce('[' || string_agg(${json}, ',' ORDER BY ${order}) || ']', '[]')`;

/**
 * Renews the lease of turn $3 on the session $1 of account $2 for $4 milliseconds. Returns a row if the turn has the
 * lock.
 */
export function renewTurnStatement({ session }: Tables): string {
  return `
UPDATE ${session} AS session SET turn_ends_at = ${leaseEnd("$4::double precision")}, expires_at = ${freshEnd}
 WHERE ${isKnown} AND session.turn_id = $3
RETURNING session.id`;
}

/**
 * Ends turn $3, which has the lock of the session $1 of account $2: $4 the id of this call, $5 its messages, each as
 * JSON, $6 its images as a JSON array, $7 the bytes of both. Returns a row if the turn had the lock. The messages are
 * numbered after those of the locked session, so their numbers rise in the order in which they become visible.
 */
export function endTurnStatement({ session, sessionMessage, sessionImages, sessionAccount }: Tables): string {
  const appends = "(cardinality($5::text[]) > 0 OR $6::text <> '[]')";
  return `
WITH ended AS (
  UPDATE ${session} AS session
     SET turn_id = NULL, turn_ends_at = NULL, turn_call = $4, expires_at = ${freshEnd},
         turns = session.turns + CASE WHEN ${appends} THEN 1 ELSE 0 END,
         last_message = session.last_message + cardinality($5::text[]), bytes = session.bytes + $7::bigint,
         updated_at = CASE WHEN ${appends} THEN ${now} ELSE session.updated_at END
   WHERE ${isKnown} AND session.turn_id = $3
  RETURNING session.id, session.turns, session.last_message - cardinality($5::text[]) AS before, session.updated_at
), counted AS (
  UPDATE ${sessionAccount} AS account SET bytes = account.bytes + $7::bigint
    FROM ended WHERE account.account_id = $2 AND $7::bigint > 0
), written AS (
  INSERT INTO ${sessionMessage} (session_id, sequence, turn, at, message)
  SELECT ended.id, ended.before + given.place, ended.turns, ended.updated_at, given.message
    FROM ended, unnest($5::text[]) WITH ORDINALITY AS given (message, place)
), shown AS (
  INSERT INTO ${sessionImages} (session_id, turn, urls) SELECT ended.id, ended.turns, $6 FROM ended WHERE $6 <> '[]'
)
SELECT ended.id FROM ended`;
}

/** Returns a row if the call $3 has ended a turn of the session $1 of account $2 although its response was lost. */
export function endedTurnStatement({ session }: Tables): string {
  return `SELECT session.id FROM ${session} AS session WHERE ${isKnown} AND session.turn_call = $3`;
}
