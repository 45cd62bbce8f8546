import { millisecondsOf } from "../row.ts";
import type { Tables } from "../schema.ts";
import { leaseEnd } from "./hold.ts";

/** Takes at most $1 due notices for $2 milliseconds, oldest first, and skips those that another call takes. */
export function claimNoticesStatement({ notice }: Tables): string {
  return `
WITH due AS MATERIALIZED (
  SELECT sequence FROM ${notice} WHERE due_at <= clock_timestamp() ORDER BY sequence LIMIT $1::bigint FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE ${notice} AS notice SET due_at = ${leaseEnd("$2::double precision")}, attempts = attempts + 1
    FROM due WHERE notice.sequence = due.sequence
  RETURNING notice.*
)
SELECT id, account_id, type, ${millisecondsOf("at")} AS at, (attempts - 1)::text AS attempts, delivered, scope, key_id,
       threshold::text AS threshold, spend_limit::text AS spend_limit, period, timezone, spent::text AS spent,
       ${millisecondsOf("resets_at")} AS resets_at, available::text AS posted, below::text AS below
  FROM claimed ORDER BY claimed.sequence`;
}

/** Makes notice $1 due after $2 milliseconds, with $3 the endpoints that have accepted it, as JSON. */
export function postponeNoticeStatement({ notice }: Tables): string {
  return `UPDATE ${notice} SET due_at = ${leaseEnd("$2::double precision")}, delivered = $3 WHERE id = $1`;
}

/** Removes notice $1. */
export function finishNoticeStatement({ notice }: Tables): string {
  return `DELETE FROM ${notice} WHERE id = $1`;
}

/** Counts the notices that are not finished. */
export function waitingNoticesStatement({ notice }: Tables): string {
  return `SELECT count(*)::text AS count, ${millisecondsOf("min(at)")} AS oldest_at FROM ${notice}`;
}
