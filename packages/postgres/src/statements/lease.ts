import type { Tables } from "../schema.ts";
import { leaseEnd } from "./hold.ts";
import { holdColumns } from "./receipt.ts";
import { applyFreedSpend } from "./spend.ts";

/**
 * Renews the leases of holds. $1 ids, $2 the amount that each has used, $3 the lease in milliseconds. Returns the
 * renewed ids.
 *
 * It neither locks accounts nor waits: a locked hold is being ended, and is skipped. The ids are sorted, so that two
 * renewals of the same holds do not deadlock.
 */
export function renewStatement({ hold }: Tables): string {
  return `
WITH report AS (
  SELECT id, max(used) AS used FROM unnest($1::text[], $2::bigint[]) AS reported (id, used) GROUP BY id
), running AS (
  SELECT hold.id, report.used AS reported
    FROM ${hold} AS hold JOIN report ON report.id = hold.id
   WHERE hold.state = 'pending'
   ORDER BY hold.id FOR UPDATE OF hold SKIP LOCKED
)
UPDATE ${hold} AS hold
   SET expires_at = ${leaseEnd("$3::double precision")}, used = greatest(hold.used, running.reported)
  FROM running WHERE hold.id = running.id
RETURNING hold.id`;
}

/**
 * Ends holds whose lease has expired, the longest overdue first, and charges the use that each last reported. $1 the
 * name of the lock, $2 the largest number of holds. Returns one row with the number `expired`.
 *
 * One sweep runs at a time; concurrent ones find nothing. Accounts are locked in the order of their ids, each before
 * its holds. A hold that was renewed or ended in the meantime is skipped, since its current row is tested again.
 */
export function expireStatement(tables: Tables): string {
  const { account, hold, entry } = tables;
  return `
WITH turn AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine
), due AS MATERIALIZED (
  SELECT hold.id, hold.account_id FROM ${hold} AS hold, turn
   WHERE turn.mine AND hold.state = 'pending' AND hold.expires_at <= now()
   ORDER BY hold.expires_at LIMIT $2::int
), locked_account AS (
  SELECT id FROM ${account} WHERE id IN (SELECT account_id FROM due) ORDER BY id FOR UPDATE
), expired AS (
  UPDATE ${hold} AS hold SET state = 'expired', charged = hold.used, ended_at = clock_timestamp()
    FROM due JOIN locked_account ON locked_account.id = due.account_id
   WHERE hold.id = due.id
     -- Written so that no index matches: a new backlog is not in the statistics, and the planner would scan all of it per hold.
     AND coalesce(hold.state = 'pending' AND hold.expires_at <= now(), false)
  RETURNING hold.*
), freed_spend AS (
  SELECT counter, sum(change) AS change
    FROM (SELECT account_spend AS counter, used - amount AS change FROM expired WHERE account_spend IS NOT NULL
          UNION ALL
          SELECT key_spend, used - amount FROM expired WHERE key_spend IS NOT NULL) AS part
   GROUP BY counter
), ${applyFreedSpend(tables)}, change AS (
  SELECT account_id, sum(amount) AS freed, sum(used) AS charged FROM expired GROUP BY account_id
), moved AS (
  UPDATE ${account} SET posted = account.posted - change.charged, held = account.held - change.freed
    FROM change WHERE account.id = change.account_id
), written AS (
  INSERT INTO ${entry} (account_id, kind, amount, reference, ${holdColumns})
  SELECT account_id, 'expiry', -used, id, ${holdColumns} FROM expired WHERE used > 0 ORDER BY created_at
)
SELECT count(*)::text AS expired FROM expired`;
}
