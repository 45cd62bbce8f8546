import type { Tables } from "../schema.ts";

/** Selects the balance of account $1, or no row if there is no such account. */
export function balanceStatement({ account }: Tables): string {
  return `SELECT posted::text AS posted, held::text AS held FROM ${account} WHERE id = $1`;
}

/**
 * Recomputes every sum in one snapshot. Returns one row for each value whose `stated` and `found` amounts differ.
 * `what` is posted or held for an account, and charged or too early (charged before its end) for a hold.
 */
export function verifyStatement({ account, hold, entry }: Tables): string {
  return `
WITH by_entries AS (
  SELECT account_id, sum(amount) AS posted FROM ${entry} GROUP BY account_id
), by_holds AS (
  SELECT account_id, sum(amount) AS held FROM ${hold} WHERE state = 'pending' GROUP BY account_id
), of_account AS (
  SELECT coalesce(account.id, by_entries.account_id, by_holds.account_id) AS account_id,
         coalesce(account.posted, 0) AS posted, coalesce(by_entries.posted, 0) AS posted_found,
         coalesce(account.held, 0) AS held, coalesce(by_holds.held, 0) AS held_found
    FROM ${account} AS account
    FULL JOIN by_entries ON by_entries.account_id = account.id
    FULL JOIN by_holds ON by_holds.account_id = coalesce(account.id, by_entries.account_id)
), charges AS (
  SELECT reference, account_id, -sum(amount) AS charged FROM ${entry}
   WHERE kind IN ('charge', 'expiry', 'late') GROUP BY reference, account_id
), of_hold AS (
  SELECT coalesce(hold.account_id, charges.account_id) AS account_id, coalesce(hold.id, charges.reference) AS hold_id,
         coalesce(hold.charged, 0) AS charged, coalesce(charges.charged, 0) AS charged_found
    FROM ${hold} AS hold
    FULL JOIN charges ON charges.reference = hold.id AND charges.account_id = hold.account_id
)
SELECT account_id, NULL AS hold_id, 'posted' AS what, posted::text AS stated, posted_found::text AS found
  FROM of_account WHERE posted <> posted_found
UNION ALL
SELECT account_id, NULL, 'held', held::text, held_found::text FROM of_account WHERE held <> held_found
UNION ALL
SELECT account_id, hold_id, 'charged', charged::text, charged_found::text FROM of_hold WHERE charged <> charged_found
UNION ALL
SELECT account_id, id, 'too early', charged::text, '0' FROM ${hold} WHERE charged <> 0 AND state IN ('pending', 'released')
ORDER BY account_id, hold_id NULLS FIRST, what DESC`;
}
