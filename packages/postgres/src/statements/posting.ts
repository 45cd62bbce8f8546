import type { Tables } from "../schema.ts";

/**
 * Posts one credit or debit. $1 account, $2 kind, $3 the signed amount, $4 id, $5 reason. Returns one row with the new
 * balance and the `outcome`: `posted`, or `refused` if the id is taken. Returns no row if there is no account.
 */
export function postingStatement({ account, entry }: Tables): string {
  return `
WITH locked_account AS (
  SELECT posted, held FROM ${account} WHERE id = $1 FOR UPDATE
), written AS (
  INSERT INTO ${entry} (account_id, kind, amount, reference, reason)
  SELECT $1, $2, $3::bigint, $4, $5 FROM locked_account
      ON CONFLICT (reference) WHERE kind IN ('credit', 'debit') DO NOTHING
  RETURNING amount
), moved AS (
  UPDATE ${account} SET posted = account.posted + written.amount FROM written WHERE account.id = $1
)
SELECT CASE WHEN EXISTS (SELECT 1 FROM written) THEN 'posted' ELSE 'refused' END AS outcome, held::text AS held,
       (posted + coalesce((SELECT amount FROM written), 0))::text AS posted
  FROM locked_account`;
}

/** Reads the posting with the id $1. */
export function existingPostingStatement({ entry }: Tables): string {
  return `
SELECT account_id, kind, amount::text AS amount, reason
  FROM ${entry} WHERE reference = $1 AND kind IN ('credit', 'debit')`;
}
