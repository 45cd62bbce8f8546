import type { Tables } from "../schema.ts";
import { chargeColumns, chargeTexts, holdColumns, selectCharge } from "./receipt.ts";
import { applyFreedSpend, freedSpend } from "./spend.ts";

/**
 * Ends one hold of any process. $1 id, $2 the final state, $3 the charge (0 for a release), $4 the numbers of
 * its receipt, and from $5 the text (NULL for a release). Returns one row with the `outcome` of the port, or none if there
 * is no such hold.
 */
export function endHoldStatement(tables: Tables): string {
  const { account, hold } = tables;
  return `
WITH asked_end AS (
  SELECT $1::text AS id, 1 AS place, ${chargeTexts.map((name, at) => `$${at + 5}::text AS ${name}`).join(", ")}
), locked_account AS (
  -- The account of a hold never changes, so a snapshot can name it; the hold itself is read once both are locked.
  SELECT id FROM ${account} WHERE id = (SELECT account_id FROM ${hold} WHERE id = $1) FOR UPDATE
), locked_hold AS (
  SELECT ${endColumns}, account_spend, key_spend, $2::text AS end_state, $3::bigint AS end_charge
    FROM locked_account JOIN ${hold} AS hold ON hold.account_id = locked_account.id AND hold.id = $1
     FOR UPDATE OF hold
), ${endsOfLockedHolds(tables, "$4")}, ${freedSpend}, ${applyFreedSpend(tables)}, moved AS (
  UPDATE ${account} AS account SET posted = posted + posted_change, held = held + held_change
    FROM ending WHERE account.id = ending.account_id
)
SELECT outcome FROM judged_end`;
}

/** The columns of a hold in `locked_hold`. */
export const endColumns = `hold.id, account_id, amount, charged, state, ${holdColumns}`;

/**
 * Ends the holds of `locked_hold` with their `end_state` and `end_charge`, and the receipts of `asked_end`, whose numbers
 * are a parameter: determines the outcomes, and writes holds and entries. `ending` has the changes of the account, one row per hold.
 *
 * The conditions test the locked rows, never the row to be updated: an update first tests its condition on the row of
 * its snapshot, and would skip a row that satisfies it only since then.
 */
export function endsOfLockedHolds({ hold, entry }: Tables, numbers: string): string {
  return `judged_end AS (
  SELECT *,
         CASE WHEN state = 'pending' THEN 'ended'
              WHEN state = 'expired' AND end_state = 'settled' THEN 'late'
              WHEN state = end_state AND charged = end_charge THEN 'repeated'
              ELSE 'conflict' END AS outcome
    FROM locked_hold
), ending AS (
  SELECT *, charged - end_charge AS posted_change, CASE outcome WHEN 'ended' THEN -amount ELSE 0 END AS held_change
    FROM judged_end WHERE outcome IN ('ended', 'late')
), ended AS (
  UPDATE ${hold} AS hold SET state = end_state, charged = end_charge, ended_at = clock_timestamp()
    FROM ending WHERE hold.id = ending.id
), written AS (
  -- An expired hold was already charged, so a late settlement posts the difference.
  INSERT INTO ${entry} (account_id, kind, amount, reference, ${holdColumns}, ${chargeColumns})
  SELECT account_id, CASE outcome WHEN 'ended' THEN 'charge' ELSE 'late' END, posted_change, id, ${holdColumns}, ${selectCharge(numbers)}
    FROM ending JOIN asked_end USING (id) WHERE posted_change <> 0
)`;
}
