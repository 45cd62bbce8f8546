import type { Statement, Tables } from "../schema.ts";
import { seemsRare } from "./input.ts";
import { chargeColumns, chargeTexts, holdColumns, selectCharge } from "./receipt.ts";
import { applyFreedSpend, freedSpend } from "./spend.ts";

/**
 * Ends one hold of an account, unless the account must be prepared first: then the outcome is `unprepared`. $1 id, $2 account, $3
 * the final state, $4 the charge (0 for a release), $5 the numbers of its receipt, and from $6 the text (NULL for a release). Returns
 * one row with the `outcome` of the port, or none if the account has no such hold. Without `withSpend`, it finds no hold that is
 * counted in a spend limit.
 */
export function endHoldStatement(withSpend: boolean): Statement {
  return (tables) => `
WITH asked_end AS (
  SELECT $1::text AS id, 1 AS place, ${chargeTexts.map((name, at) => `$${at + 6}::text AS ${name}`).join(", ")}
), locked_account AS (
  SELECT id, next_lapse, next_lapse <= clock_timestamp() AND posted > held AS due
    FROM ${tables.account} WHERE id = $2 FOR UPDATE
), locked_hold AS (
  SELECT ${endColumns}${withSpend ? ", account_spend, key_spend, token_spend" : ""}, $3::text AS end_state, $4::bigint AS end_charge,
         due, next_lapse IS NOT NULL AS has_lots
    FROM locked_account JOIN ${tables.hold} AS hold ON hold.account_id = locked_account.id AND hold.id = $1
         ${withSpend ? "" : "AND account_spend IS NULL AND key_spend IS NULL AND token_spend IS NULL"}
     FOR UPDATE OF hold
), ${endsOfLockedHolds(tables, "$5", keyUses)}, ${withSpend ? `${freedSpend}, ${applyFreedSpend(tables)}, ` : ""}moved AS (
  UPDATE ${tables.account} AS account SET posted = posted + posted_change, held = held + held_change
    FROM ending WHERE account.id = ending.account_id
)
SELECT outcome FROM judged_end`;
}

const keyUses = "SELECT key_id, account_id, -posted_change FROM ending WHERE posted_change <> 0 AND key_id IS NOT NULL";

/** The columns of a hold in `locked_hold`. */
export const endColumns = `hold.id, account_id, amount, refunded, charged, state, ${holdColumns}`;

/**
 * Ends the holds of `locked_hold` with their `end_state` and `end_charge`, and the receipts of `asked_end`, whose numbers
 * are a parameter: determines the outcomes, and writes holds, entries and the usage of keys, whose rows a query selects. `ending`
 * has the changes of the account, one row per hold.
 *
 * The conditions test the locked rows, never the row to be updated: an update first tests its condition on the row of
 * its snapshot, and would skip a row that satisfies it only since then.
 */
export function endsOfLockedHolds(tables: Tables, numbers: string, keyUses: string): string {
  const { hold, entry } = tables;
  return `judged_end AS (
  SELECT *,
         CASE WHEN due THEN 'unprepared'
              WHEN state = 'pending' THEN 'ended'
              WHEN state = 'expired' AND end_state = 'settled' THEN 'late'
              WHEN state = end_state AND charged = end_charge THEN 'repeated'
              ELSE 'conflict' END AS outcome
    FROM locked_hold
), ending AS (
  -- An expired hold was already charged, so a late settlement posts the difference, and returns nothing that was refunded.
  SELECT *, charged - greatest(end_charge, refunded) AS posted_change, CASE outcome WHEN 'ended' THEN -amount ELSE 0 END AS held_change
    FROM judged_end WHERE outcome IN ('ended', 'late')
), ended AS (
  UPDATE ${hold} AS hold SET state = end_state, charged = end_charge, ended_at = clock_timestamp()
    FROM ending WHERE hold.id = ending.id AND ${seemsRare("end_charge")}
), written AS (
  INSERT INTO ${entry} (account_id, kind, amount, reference, ${holdColumns}, ${chargeColumns}, uncounted)
  SELECT account_id, CASE outcome WHEN 'ended' THEN 'charge' ELSE 'late' END, posted_change, id, ${holdColumns}, ${selectCharge(numbers)},
         -- What a late settlement returns belongs to the lots that paid it, which may be empty.
         CASE WHEN has_lots OR posted_change > 0 THEN false END
    FROM ending JOIN asked_end USING (id) WHERE posted_change <> 0
), ${countKeyUsage(tables, keyUses)}`;
}

/** Adds what was used of keys, one row for each. Each row of the table is changed under the lock of its account. */
export const countKeyUsage = ({ keyUsage }: Tables, used: string): string => `key_used AS (
  INSERT INTO ${keyUsage} AS known (key_id, account_id, used)
  ${used}
      ON CONFLICT (key_id, account_id) DO UPDATE SET used = known.used + excluded.used
)`;
