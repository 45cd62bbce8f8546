import type { Tables } from "../schema.ts";

/**
 * The end of one hold, whoever made it. $1 id, $2 the state that it ends in, $3 its charge (0 for a release). One row
 * with the `outcome` of the port, or none where there is no such hold.
 */
export function endHoldStatement(tables: Tables): string {
  const { account, hold } = tables;
  return `
WITH locked_account AS (
  -- The account of a hold never changes, so a snapshot can name it; the hold itself is read once both are locked.
  SELECT id FROM ${account} WHERE id = (SELECT account_id FROM ${hold} WHERE id = $1) FOR UPDATE
), locked_hold AS (
  SELECT hold.*, $2::text AS end_state, $3::bigint AS end_charge
    FROM locked_account JOIN ${hold} AS hold ON hold.account_id = locked_account.id AND hold.id = $1
     FOR UPDATE OF hold
), ${endsOfLockedHolds(tables)}, moved AS (
  UPDATE ${account} AS account SET posted = posted + posted_change, held = held + held_change
    FROM ending WHERE account.id = ending.account_id
)
SELECT outcome FROM judged_end`;
}

/**
 * Ends the holds of `locked_hold`, each by its `end_state` and `end_charge`: judges them, and writes holds and
 * entries. What it moves on the account is in `ending`, one row a hold.
 *
 * The conditions look at rows that are locked, never at the row to be updated: an update tests its condition on the
 * row of its snapshot first, and would pass over one that has come to satisfy it since.
 */
export function endsOfLockedHolds({ hold, entry }: Tables): string {
  return `judged_end AS (
  SELECT id, account_id, amount, charged, end_state, end_charge,
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
  -- An expiry has charged something already: a late settlement charges the difference.
  INSERT INTO ${entry} (account_id, kind, amount, reference)
  SELECT account_id, CASE outcome WHEN 'ended' THEN 'charge' ELSE 'late' END, posted_change, id
    FROM ending WHERE posted_change <> 0
)`;
}
