import type { Tables } from "../schema.ts";
import { countKeyUsage } from "./end-hold.ts";
import { unfenced } from "./fencing.ts";
import { leaseEnd } from "./hold.ts";
import { holdColumns } from "./receipt.ts";
import { applyFreedSpend } from "./spend.ts";

/**
 * Renews the leases of holds. $1 ids, $2 their accounts, $3 the amount that each has used, $4 the lease in milliseconds.
 * Returns the renewed ids.
 *
 * It neither locks accounts nor waits: a locked hold is being ended, and is skipped. The ids are sorted, so that two
 * renewals of the same holds do not deadlock.
 */
export function renewStatement(tables: Tables): string {
  const { hold } = tables;
  return `
WITH report AS (
  SELECT id, account_id, max(used) AS used
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS reported (id, account_id, used) GROUP BY id, account_id
), running AS (
  SELECT hold.id, report.used AS reported
    FROM ${hold} AS hold JOIN report ON report.id = hold.id AND report.account_id = hold.account_id
   WHERE hold.state = 'pending' AND ${unfenced(tables, "hold.account_id")}
   ORDER BY hold.id FOR UPDATE OF hold SKIP LOCKED
)
UPDATE ${hold} AS hold
   SET expires_at = ${leaseEnd("$4::double precision")}, used = greatest(hold.used, running.reported)
  FROM running WHERE hold.id = running.id
RETURNING hold.id`;
}

/**
 * Ends holds whose lease has expired, the longest overdue first, and charges the use that each last reported. $1 the
 * name of the lock, $2 the largest number of holds. Returns one row with the number `expired`, and the number `left`: of an
 * account whose pending holds keep what is due to expire, one is ended, since each end lets more of it expire.
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
  SELECT hold.id, hold.account_id, hold.created_at FROM ${hold} AS hold, turn
   WHERE turn.mine AND hold.state = 'pending' AND hold.expires_at <= now() AND ${unfenced(tables, "hold.account_id")}
   ORDER BY hold.expires_at LIMIT $2::int
), locked_account AS (
  SELECT id, next_lapse FROM ${account} WHERE id IN (SELECT account_id FROM due) ORDER BY id FOR UPDATE
), chosen AS (
  SELECT due.id, next_lapse,
         next_lapse > clock_timestamp() OR next_lapse IS NULL
           OR row_number() OVER (PARTITION BY account_id ORDER BY created_at) = 1 AS now
    FROM due JOIN locked_account ON locked_account.id = due.account_id
), expired AS (
  UPDATE ${hold} AS hold SET state = 'expired', charged = hold.used, ended_at = clock_timestamp()
    FROM chosen
   WHERE hold.id = chosen.id AND chosen.now
     -- Written so that no index matches: a new backlog is not in the statistics, and the planner would scan all of it per hold.
     AND coalesce(hold.state = 'pending' AND hold.expires_at <= now(), false)
  RETURNING hold.*, next_lapse IS NOT NULL AS has_lots
), freed_spend AS MATERIALIZED (
  SELECT counter, sum(change) AS change
    FROM (SELECT account_spend AS counter, used - amount AS change FROM expired WHERE account_spend IS NOT NULL
          UNION ALL
          SELECT key_spend, used - amount FROM expired WHERE key_spend IS NOT NULL
          UNION ALL
          SELECT token_spend, used - amount FROM expired WHERE token_spend IS NOT NULL) AS part
   GROUP BY counter
), ${applyFreedSpend(tables)}, change AS (
  SELECT account_id, sum(amount) AS freed, sum(used) AS charged FROM expired GROUP BY account_id
), moved AS (
  UPDATE ${account} SET posted = account.posted - change.charged, held = account.held - change.freed
    FROM change WHERE account.id = change.account_id
), written AS (
  INSERT INTO ${entry} (account_id, kind, amount, reference, ${holdColumns}, uncounted)
  SELECT account_id, 'expiry', -used, id, ${holdColumns}, CASE WHEN has_lots THEN false END FROM expired WHERE used > 0 ORDER BY created_at
), ${countKeyUsage(tables, "SELECT key_id, account_id, sum(used) FROM expired WHERE used > 0 AND key_id IS NOT NULL GROUP BY key_id, account_id")}
SELECT (SELECT count(*) FROM expired)::text AS expired, (SELECT count(*) FROM chosen WHERE NOT now)::text AS left`;
}
