import { millisecondsOf } from "../row.ts";
import type { Tables } from "../schema.ts";
import { selectReceipt } from "./receipt.ts";

/** Selects the balance of account $1, or no row if there is no such account. */
export function balanceStatement({ account }: Tables): string {
  return `SELECT posted::text AS posted, held::text AS held FROM ${account} WHERE id = $1`;
}

/**
 * Selects the entries of account $1 after sequence $2, at most $3. A reader misses none: a writer locks the account
 * before it adds an entry, so the sequences of one account rise in the order in which they become visible.
 */
export const entriesStatement = (tables: Tables): string => selectEntries(tables, "true");

/** Selects those of {@link entriesStatement} with reference $4, through the two indexes that each have one part of the kinds. */
export const entriesOfReferenceStatement = (tables: Tables): string =>
  selectEntries(
    tables,
    `(reference = $4 AND kind IN ('credit', 'debit') OR reference = $4 AND kind IN ('charge', 'expiry', 'late'))`,
  );

const selectEntries = ({ entry }: Tables, condition: string): string => `
SELECT sequence::text AS sequence, kind, amount::text AS amount, reference, reason, ${millisecondsOf("at")} AS at,
       ${selectReceipt}
  FROM ${entry} AS entry WHERE account_id = $1 AND entry.sequence > $2::bigint AND ${condition}
 -- Qualified, because the bare name refers to the text column above.
 ORDER BY entry.sequence LIMIT $3::bigint`;

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
