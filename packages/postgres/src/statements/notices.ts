import { expiryNoticeMs, outboxLagMs } from "@tollgate/core/store";
import { isExpiring, isRead } from "../outbox-tables.ts";
import type { Tables } from "../schema.ts";
import { unfenced } from "./fencing.ts";
import { leaseEnd } from "./hold.ts";
import { millisecondsOf } from "./times.ts";

const milliseconds = (count: number): string => `interval '${count} milliseconds'`;

/**
 * Takes at most $1 due notices for $2 milliseconds, oldest first, and skips those that another call takes. Remembers that they are
 * read.
 */
export function claimNoticesStatement({ notice, outbox }: Tables): string {
  return `
WITH due AS MATERIALIZED (
  SELECT sequence FROM ${notice} WHERE due_at <= clock_timestamp() ORDER BY sequence LIMIT $1::bigint FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE ${notice} AS notice SET due_at = ${leaseEnd("$2::double precision")}, attempts = attempts + 1
    FROM due WHERE notice.sequence = due.sequence
  RETURNING notice.*
), is_read AS (
  UPDATE ${outbox} SET claimed_at = clock_timestamp() WHERE claimed_at < clock_timestamp() - ${milliseconds(outboxLagMs)}
)
SELECT id, account_id, type, ${millisecondsOf("at")} AS at, (attempts - 1)::text AS attempts, delivered, scope, key_id,
       threshold::text AS threshold, spend_limit::text AS spend_limit, spend_models, period, timezone, spent::text AS spent,
       ${millisecondsOf("resets_at")} AS resets_at, available::text AS posted, below::text AS below, amount::text AS amount, money_kind, reason,
       ${millisecondsOf("expires_at")} AS expires_at, charge::text AS charge
  FROM claimed ORDER BY claimed.sequence`;
}

/**
 * Writes the notices of at most $1 lots that expire soon, if somebody reads them. It waits for no lock: a lot that another call
 * changes is noticed by the next sweep.
 */
export function noticeExpiriesStatement(tables: Tables): string {
  const { lot, notice, outbox } = tables;
  return `
WITH due AS MATERIALIZED (
  SELECT account_id, id FROM ${lot}
   WHERE ${isExpiring} AND expires_at > now() AND expires_at <= now() + ${milliseconds(expiryNoticeMs)}
     AND (SELECT true FROM ${outbox} WHERE ${isRead}) AND ${unfenced(tables, "lot.account_id")}
   ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED
), noticed AS (
  UPDATE ${lot} AS lot SET noticed = true FROM due WHERE (lot.account_id, lot.id) = (due.account_id, due.id)
  RETURNING lot.account_id, lot.rest, lot.expires_at
)
INSERT INTO ${notice} (account_id, type, amount, expires_at)
SELECT account_id, 'balance.expiring', rest, expires_at FROM noticed ORDER BY expires_at, account_id`;
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
