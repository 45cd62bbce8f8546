import type { Statement, Tables } from "../schema.ts";
import { endColumns, endsOfLockedHolds } from "./end-hold.ts";
import { type InputColumn, inputRows } from "./input.ts";
import { chargeTexts } from "./receipt.ts";
import { applyFreedSpend, freedSpend } from "./spend.ts";

/** The input for an end. */
export type EndColumn = "id" | "end_state" | "end_charge" | (typeof chargeTexts)[number];

/** The columns of the input for ends. */
export const endInput: readonly InputColumn<EndColumn>[] = [
  ["id", "text"],
  ["end_state", "text"],
  ["end_charge", "bigint"],
  ...chargeTexts.map((name) => [name, "text"] as const),
];

/** The number of the parameter with the numbers of the receipts. */
export const numbersParameter: number = endInput.length + 2;
const numbers = `$${numbersParameter}`;

/**
 * Ends holds of one account: a batch without holds, which takes half the time to plan. $1 account; from $2 the ends, as
 * {@link endInput}; then the numbers of their receipts. Without `withSpend`, it ends no hold that is counted in a spend limit.
 * An end whose outcome is `unprepared` must run alone. Returns one row for each end, and none for one of a hold of another account, or of a hold that it does not end.
 */
export function endHoldsStatement(withSpend: boolean): Statement {
  return (tables) => `
WITH ${endsOfBatch(tables, withSpend)}, ${withSpend ? `${applyFreedSpend(tables)}, ` : ""}moved AS (
  UPDATE ${tables.account} SET posted = account.posted + freed.posted, held = account.held + freed.held
    FROM freed WHERE account.id = $1 AND (freed.posted <> 0 OR freed.held <> 0)
)
SELECT id, outcome FROM judged_end`;
}

/**
 * A condition over the row of an account: an amount is due to expire before a batch. It is so before the ends of a batch even if
 * holds still need all that is left of the lot, since each end lets more of it expire.
 */
export const dueBeforeBatch =
  "CASE WHEN next_lapse <= clock_timestamp() THEN posted > held OR EXISTS (SELECT FROM asked_end) END";

/**
 * Locks account $1 and selects more of it, and ends the holds of the input, unless an amount is due to expire. `freed` has the
 * change of the account.
 */
export function endsOfBatch(tables: Tables, withSpend: boolean, more = ""): string {
  return `asked_end AS MATERIALIZED (
  ${inputRows(endInput, 2)}
), locked_account AS (
  SELECT id, posted, held, spend_limit, spend_window, spend_timezone, spend_models, next_lapse, ${dueBeforeBatch} AS due${more}
    FROM ${tables.account} WHERE id = $1 FOR UPDATE
), locked_hold AS (
  -- Lateral, so that each hold is found by its id: the planner would join a batch with a scan of the whole table while
  -- that is small.
  SELECT hold.*, asked_end.end_state, asked_end.end_charge, due, next_lapse IS NOT NULL AS has_lots
    FROM locked_account CROSS JOIN asked_end CROSS JOIN LATERAL (
      SELECT ${endColumns}${withSpend ? ", account_spend, key_spend, token_spend" : ""} FROM ${tables.hold} AS hold
       WHERE hold.id = asked_end.id AND hold.account_id = locked_account.id
             ${withSpend ? "" : "AND account_spend IS NULL AND key_spend IS NULL AND token_spend IS NULL"}
         FOR UPDATE
    ) AS hold
), ${endsOfLockedHolds(tables, numbers, keyUses)}, ${withSpend ? `${freedSpend}, ` : ""}freed AS (
  SELECT coalesce(sum(posted_change), 0) AS posted, coalesce(sum(held_change), 0) AS held FROM ending
)`;
}

const keyUses = `SELECT key_id, $1, -sum(posted_change) FROM ending WHERE posted_change <> 0 AND key_id IS NOT NULL GROUP BY key_id`;
