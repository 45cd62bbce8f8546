import { clock } from "../limit-tables.ts";
import type { Tables } from "../schema.ts";
import { seemsRare } from "./input.ts";

/** The start of the statement, which an index can be compared with. */
const start = "floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint";

/**
 * Counts one request of subject $1 in its window of $2 seconds, which the first request opens. Requests with another limit $3
 * are counted separately. Returns one row with the count, the end of the window, and the time.
 */
export function countRequestStatement({ requestWindow }: Tables): string {
  return `
INSERT INTO ${requestWindow} AS known (subject, window_seconds, request_limit, requests, resets_at)
VALUES ($1, $2::int, $3::bigint, 1, ${clock} + $2::int * 1000::bigint)
    ON CONFLICT (subject, window_seconds, request_limit) DO UPDATE
   SET (requests, resets_at) = (
     SELECT CASE WHEN known.resets_at > clock.now THEN known.requests + 1 ELSE 1 END,
            CASE WHEN known.resets_at > clock.now THEN known.resets_at ELSE clock.now + $2::int * 1000::bigint END
       FROM (SELECT ${clock} AS now) AS clock)
RETURNING requests::text AS requests, resets_at::text AS resets_at, (${clock})::text AS now`;
}

/**
 * Reserves tokens and a slot of subject $1, or neither: $2 the id, $3 the lease in milliseconds, $4 the limit of slots, $5 the
 * tokens, $6 their limit and $7 the seconds of their window. Returns one row, with `refused_by` if it is refused.
 */
export function reserveLimitsStatement({ reserveLimits }: Tables): string {
  return `
SELECT refused_by, remaining::text AS remaining, resets_at::text AS resets_at, now::text AS now
  FROM ${reserveLimits}($1, $2, $3, $4, $5, $6, $7)`;
}

/**
 * Settles the reservation $2 of subject $1: $3 the tokens used, NULL if unknown, $4 the limit of tokens, NULL to release only
 * the slot, and $5 the seconds of their window.
 */
export function settleLimitsStatement({ settleLimits }: Tables): string {
  return `SELECT FROM ${settleLimits}($1, $2, $3, $4, $5)`;
}

/**
 * Renews the leases of reservations: $1 their subjects, $2 their ids, $3 the leases in milliseconds. It does not wait: a locked
 * reservation is being settled, and is skipped. So it cannot deadlock either.
 */
export function renewLimitsStatement({ limitReservation }: Tables): string {
  return `
WITH running AS (
  -- Lateral, so that each reservation is found by its key.
  SELECT known.subject, known.id, lease_ms, ${clock} + lease_ms AS lease_ends_at
    FROM unnest($1::uuid[], $2::uuid[], $3::double precision[]) AS asked (subject, id, lease_ms) CROSS JOIN LATERAL (
      SELECT subject, id FROM ${limitReservation} AS known
       WHERE known.subject = asked.subject AND known.id = asked.id AND known.lease_ends_at IS NOT NULL
         FOR UPDATE SKIP LOCKED
    ) AS known
)
UPDATE ${limitReservation} AS known
   SET lease_ends_at = running.lease_ends_at, expires_at = greatest(known.expires_at, running.lease_ends_at)
  FROM running WHERE known.subject = running.subject AND known.id = running.id AND ${seemsRare("lease_ms")}`;
}

/**
 * Removes at most $1 expired rows of each table, and returns one row with the largest number `removed`. It skips locked rows.
 * A subject goes after its reservations, in a later call, since only a row that is gone cannot be renewed.
 */
export function removeExpiredLimitsStatement({ requestWindow, limitSubject, limitReservation }: Tables): string {
  const remove = (table: string, condition: string) => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT known.ctid FROM ${table} AS known WHERE ${condition} LIMIT $1::int FOR UPDATE SKIP LOCKED))
  RETURNING 1`;
  return `
WITH window_gone AS (${remove(requestWindow, `known.resets_at <= ${start}`)}
), reservation_gone AS (${remove(limitReservation, `known.expires_at <= ${start}`)}
), subject_gone AS (${remove(
    limitSubject,
    `known.expires_at <= ${start}
       AND NOT EXISTS (SELECT FROM ${limitReservation} AS own WHERE own.subject = known.subject)`,
  )}
)
SELECT greatest((SELECT count(*) FROM window_gone), (SELECT count(*) FROM reservation_gone),
                (SELECT count(*) FROM subject_gone))::text AS removed`;
}
