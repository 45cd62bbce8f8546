import type { HoldColumns } from "@tollgate/core/store";
import type { Statement } from "../schema.ts";
import { type Checks, goodKeys, termsAccepted } from "./checks.ts";
import { endsOfLockedHolds } from "./end-hold.ts";
import { holdOutcome, leaseEnd } from "./hold.ts";
import { type ChargeInput, typedChargeInput } from "./receipt.ts";
import { applyFreedSpend, applySpend, checkSpend, freedSpend, spendStates } from "./spend.ts";

/**
 * Ends and creates holds of one account with one lock of its row and one commit. The commits of one row are sequential,
 * each with a flush to disk, so only sharing them raises throughput. $1 account; $2 ends and $3 holds, as JSON arrays
 * of {@link EndInput} and {@link HoldInput}, in which each id occurs once.
 *
 * Ends come first, so that holds can use the amounts that they release. Holds are created in order while their sum is
 * covered. With `withSpend`, they must also be within their spend limits; without it, no hold of an account with a limit of
 * its own is created. Returns one row per call, the same as its own statement would return, and none for an end of a hold of
 * another account.
 */
export function batchStatement(checks: Checks, withSpend: boolean): Statement {
  return (tables) => `
WITH asked_end AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::json) AS asked (id text, end_state text, end_charge bigint, ${typedChargeInput})
), locked_account AS (
  SELECT id, posted, held, spend_limit, spend_window, spend_timezone FROM ${tables.account} WHERE id = $1 FOR UPDATE
), locked_hold AS (
  SELECT hold.*, asked_end.end_state, asked_end.end_charge
    FROM asked_end JOIN ${tables.hold} AS hold ON hold.id = asked_end.id
    JOIN locked_account ON locked_account.id = hold.account_id
     FOR UPDATE OF hold
), ${endsOfLockedHolds(tables)}, ${freedSpend}, freed AS (
  SELECT coalesce(sum(posted_change), 0) AS posted, coalesce(sum(held_change), 0) AS held FROM ending
), asked_hold AS (
  SELECT * FROM json_to_recordset($3::json)
    AS asked (place int, id text, key_id text, amount bigint, lease_ms double precision, terms jsonb,
              request_id text, model text, dialect text,
              account_limit bigint, account_window text, account_zone text,
              key_limit bigint, key_window text, key_zone text)
), good_key AS (
  ${goodKeys(tables, checks, "SELECT key_id FROM asked_hold")}
), judged_hold AS (
  SELECT *, key_id IN (SELECT * FROM good_key) AS key_good,
         ${termsAccepted(tables, checks, "asked_hold.terms")} AS terms_good
    FROM asked_hold
), ${withSpend ? `${checkSpend(tables)}, ` : ""}queue AS (
  -- The sum of bigints is numeric: it does not overflow.
  SELECT *, sum(amount) OVER (ORDER BY place) AS needed FROM judged_hold WHERE key_good AND terms_good
), made AS (
  INSERT INTO ${tables.hold} (id, account_id, key_id, amount, expires_at, request_id, model, dialect${withSpend ? ", account_spend, key_spend" : ""})
  SELECT queue.id, $1, key_id, amount, ${leaseEnd("lease_ms")}, request_id, model, dialect${withSpend ? ", account_spend, key_spend" : ""}
    FROM queue CROSS JOIN locked_account CROSS JOIN freed ${withSpend ? "LEFT JOIN within_limits USING (place)" : ""}
   WHERE needed <= locked_account.posted + freed.posted - (locked_account.held + freed.held)
     AND ${withSpend ? "coalesce(within_limits.within, true)" : "locked_account.spend_limit IS NULL"}
   -- A fixed order, so that two accounts that insert the same ids concurrently do not deadlock.
   ORDER BY queue.id
      ON CONFLICT (id) DO NOTHING
  RETURNING id, amount${withSpend ? ", account_spend, key_spend" : ""}
), ${withSpend ? applySpend(tables) : applyFreedSpend(tables)}, change AS (
  SELECT posted, held + coalesce((SELECT sum(amount) FROM made), 0) AS held FROM freed
), moved AS (
  UPDATE ${tables.account} SET posted = account.posted + change.posted, held = account.held + change.held
    FROM change WHERE account.id = $1 AND (change.posted <> 0 OR change.held <> 0)
)
SELECT id, outcome, NULL AS posted, NULL AS held, NULL AS own_limit, NULL AS spends FROM judged_end
UNION ALL
SELECT judged_hold.id, ${holdOutcome("judged_hold.id IN (SELECT id FROM made)")},
       (locked_account.posted + change.posted)::text, (locked_account.held + change.held)::text,
       locked_account.spend_limit::text, ${withSpend ? spendStates : "NULL"}
  FROM judged_hold CROSS JOIN change LEFT JOIN locked_account ON true`;
}

/** A settlement or release in a batch. Amounts are decimal strings, since JSON numbers are doubles. */
export type EndInput = ChargeInput & {
  readonly id: string;
  readonly end_state: "settled" | "released";
  readonly end_charge: string;
};

/** The spend limits of a hold in a batch. Absent members: no limit. */
interface SpendInput {
  readonly account_limit?: string;
  readonly account_window?: string;
  readonly account_zone?: string | undefined;
  readonly key_limit?: string;
  readonly key_window?: string;
  readonly key_zone?: string | undefined;
}

/** A hold in a batch; `place` is its position among the holds. */
export interface HoldInput extends HoldColumns, SpendInput {
  readonly place: number;
  readonly id: string;
  readonly key_id: string;
  readonly amount: string;
  readonly lease_ms: number;
  readonly terms: readonly string[];
}
