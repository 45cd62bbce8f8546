import type { Tables } from "../schema.ts";
import { isDue } from "./preparing.ts";
import { millisecondsOf } from "./times.ts";

/**
 * Selects the balance of account $1, whose id is `due` if an amount is due to expire. $2 the window of an allowance and $3 its time
 * zone, NULL for none: `grant_ends_at` is the end of the present window, unless its allowance was granted.
 */
export function balanceStatement(tables: Tables): string {
  const { account, lot, allowanceWindow } = tables;
  return `
SELECT account.posted::text AS posted, account.held::text AS held, account.credited::text AS credited,
       (account.funded - account.posted)::text AS used, ${millisecondsOf("account.frozen_at")} AS frozen_at, account.frozen_reason,
       CASE WHEN ${isDue(tables, "account")} THEN account.id END AS due,
       CASE WHEN account.next_lapse < 'infinity' THEN (
         SELECT json_agg(json_build_object('amount', next.rest::text, 'at', ${millisecondsOf("next.expires_at")}::bigint)
                         ORDER BY next.expires_at, next.sequence)
           FROM (SELECT rest, expires_at, sequence FROM ${lot}
                  WHERE account_id = $1 AND NOT is_empty AND expires_at IS NOT NULL ORDER BY expires_at, sequence LIMIT 100) AS next
       ) END::text AS expiring,
       CASE WHEN present.lot IS NOT NULL AND NOT EXISTS (
         SELECT FROM ${lot} AS granted WHERE granted.account_id = $1 AND granted.id = present.lot
       ) THEN ${millisecondsOf("present.ends")} END AS grant_ends_at
  FROM (SELECT $1::text AS id) AS asked
  LEFT JOIN ${account} AS account USING (id)
  LEFT JOIN ${allowanceWindow}($2, $3) AS present ON true`;
}

/** Sums what was charged for key $1. */
export function keyUsageStatement({ keyUsage }: Tables): string {
  return `SELECT coalesce(sum(used), 0)::text AS used FROM ${keyUsage} WHERE key_id = $1`;
}

const charges = "('charge', 'expiry', 'late')";

/**
 * Recomputes every sum in one snapshot. Returns one row for each value whose `stated` and `found` amounts differ, with the
 * `name` of the hold, the key or the lot. `what` is posted, held, credited, used or lots (what they have, and what is posted)
 * for an account, charged or too early (charged before its end) for a hold, key for the usage of one, and lot for what is left of
 * one.
 */
export function verifyStatement(tables: Tables): string {
  return `
WITH ${accountSums(tables)}, ${holdSums(tables)}, ${lotSums(tables)}
SELECT account_id, NULL AS name, 'posted' AS what, posted::text AS stated, posted_found::text AS found
  FROM of_account WHERE posted <> posted_found
UNION ALL
SELECT account_id, NULL, 'held', held::text, held_found::text FROM of_account WHERE held <> held_found
UNION ALL
SELECT account_id, NULL, 'credited', credited::text, credited_found::text FROM of_account WHERE credited <> credited_found
UNION ALL
SELECT account_id, NULL, 'used', used::text, used_found::text FROM of_account WHERE used <> used_found
UNION ALL
SELECT account_id, hold_id, 'charged', charged::text, charged_found::text FROM of_hold WHERE charged <> charged_found
UNION ALL
SELECT account_id, id, 'too early', charged::text, '0' FROM ${tables.hold} WHERE charged <> 0 AND state IN ('pending', 'released')
UNION ALL
SELECT account_id, key_id, 'key', used::text, used_found::text FROM of_key WHERE used <> used_found
UNION ALL
SELECT account_id, id, 'lot', rest::text, rest_found::text FROM of_lot WHERE rest <> rest_found
UNION ALL
SELECT of_lots.account_id, NULL, 'lots', rest::text, coalesce(posted, 0)::text
  FROM of_lots LEFT JOIN of_account USING (account_id) WHERE rest > greatest(coalesce(posted, 0), 0)
ORDER BY account_id, name NULLS FIRST, what DESC`;
}

const accountSums = ({ account, hold, entry, keyUsage }: Tables): string => `by_entries AS (
  SELECT account_id, sum(amount) AS posted,
         coalesce(sum(amount) FILTER (WHERE kind IN ('credit', 'allowance') OR kind = 'debit' AND money = 'paid'), 0) AS credited,
         coalesce(-sum(amount) FILTER (WHERE kind IN ${charges} OR kind = 'refund'), 0) AS used
    FROM ${entry} GROUP BY account_id
), by_holds AS (
  SELECT account_id, sum(amount) AS held FROM ${hold} WHERE state = 'pending' GROUP BY account_id
), of_account AS (
  SELECT coalesce(account.id, by_entries.account_id, by_holds.account_id) AS account_id,
         coalesce(account.posted, 0) AS posted, coalesce(by_entries.posted, 0) AS posted_found,
         coalesce(account.held, 0) AS held, coalesce(by_holds.held, 0) AS held_found,
         coalesce(account.credited, 0) AS credited, coalesce(by_entries.credited, 0) AS credited_found,
         coalesce(account.funded - account.posted, 0) AS used, coalesce(by_entries.used, 0) AS used_found
    FROM ${account} AS account
    FULL JOIN by_entries ON by_entries.account_id = account.id
    FULL JOIN by_holds ON by_holds.account_id = coalesce(account.id, by_entries.account_id)
), by_keys AS (
  SELECT account_id, key_id, -sum(amount) AS used FROM ${entry}
   WHERE (kind IN ${charges} OR kind = 'refund') AND key_id IS NOT NULL GROUP BY account_id, key_id
), of_key AS (
  SELECT account_id, key_id, coalesce(counted.used, 0) AS used, coalesce(by_keys.used, 0) AS used_found
    FROM ${keyUsage} AS counted FULL JOIN by_keys USING (account_id, key_id)
)`;

/** A late settlement returns nothing that was refunded, so the entries of a hold sum to at least that. */
const holdSums = ({ hold, entry }: Tables): string => `charges AS (
  SELECT reference, account_id, -sum(amount) AS charged FROM ${entry}
   WHERE kind IN ${charges} GROUP BY reference, account_id
), of_hold AS (
  SELECT coalesce(hold.account_id, charges.account_id) AS account_id, coalesce(hold.id, charges.reference) AS hold_id,
         coalesce(greatest(hold.charged, hold.refunded), 0) AS charged, coalesce(charges.charged, 0) AS charged_found
    FROM ${hold} AS hold
    FULL JOIN charges ON charges.reference = hold.id AND charges.account_id = hold.account_id
)`;

const lotSums = ({ entry, lot }: Tables): string => `by_shares AS (
  SELECT account_id, share->>'lot' AS id, sum(sign(entry.amount::numeric) * (share->>'amount')::bigint) AS rest
    FROM ${entry} AS entry CROSS JOIN jsonb_array_elements(lots) AS share WHERE lots IS NOT NULL
   GROUP BY account_id, share->>'lot'
), of_lot AS (
  SELECT account_id, id, coalesce(lot.rest, 0) AS rest, coalesce(by_shares.rest, 0) AS rest_found
    FROM ${lot} AS lot FULL JOIN by_shares USING (account_id, id)
), of_lots AS (
  SELECT account_id, sum(rest) AS rest FROM ${lot} GROUP BY account_id
)`;
