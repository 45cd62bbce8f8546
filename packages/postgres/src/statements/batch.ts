import type { Statement } from "../schema.ts";
import { type Checks, goodKeys, termsAccepted } from "./checks.ts";
import { endInput, endsOfBatch } from "./end-holds.ts";
import { holdOutcome, leaseEnd } from "./hold.ts";
import { type InputColumn, inputRows } from "./input.ts";
import { applySpend, checkSpend, type SpendColumn, spendInput, spendStates } from "./spend.ts";

/** The input for a hold without spend limits. `terms` and `notices` are JSON. */
export type HoldColumn =
  | "id"
  | "key_id"
  | "amount"
  | "lease_ms"
  | "terms"
  | "request_id"
  | "model"
  | "dialect"
  | "notices";

/** The columns of the input for holds. */
export const holdInput: readonly InputColumn<HoldColumn>[] = [
  ["id", "text"],
  ["key_id", "text"],
  ["amount", "bigint"],
  ["lease_ms", "double precision"],
  ["terms", "jsonb"],
  ["request_id", "text"],
  ["model", "text"],
  ["dialect", "text"],
  ["notices", "jsonb"],
];

/** The columns of the input for holds with spend limits. All NULL for a hold without. */
export const holdInputWithSpend: readonly InputColumn<HoldColumn | SpendColumn>[] = [...holdInput, ...spendInput];

/**
 * Ends and creates holds of one account with one lock of its row and one commit. The commits of one row are sequential,
 * each with a flush to disk, so only sharing them raises throughput. $1 account; from $2 the ends, as {@link endInput}; then
 * the numbers of their receipts; then the holds, as {@link holdInput}. Each id occurs once among the ends, and once among
 * the holds.
 *
 * Ends come first, so that holds can use the amounts that they release. Holds are created in order while their sum is
 * covered. With `withSpend`, the input of the holds is {@link holdInputWithSpend}, and they must also be within their spend
 * limits. Without it, the statement touches no counter: no hold of an account with a limit of its own is created, and no
 * hold that is counted in one is ended. Returns one row per call, the same as its own statement would return, and none for an
 * end of a hold of another account, or of a hold that it does not end.
 */
export function batchStatement(checks: Checks, withSpend: boolean): Statement {
  const spendColumns = withSpend ? ", account_spend, key_spend" : "";
  return (tables) => `
WITH ${endsOfBatch(tables, withSpend)}, asked_hold AS (
  ${inputRows(withSpend ? holdInputWithSpend : holdInput, endInput.length + 3)}
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
  INSERT INTO ${tables.hold} (id, account_id, key_id, amount, expires_at, request_id, model, dialect, notices${spendColumns})
  SELECT queue.id, $1, key_id, amount, ${leaseEnd("lease_ms")}, request_id, model, dialect, notices${spendColumns}
    FROM queue CROSS JOIN locked_account CROSS JOIN freed ${withSpend ? "LEFT JOIN within_limits USING (place)" : ""}
   WHERE needed <= locked_account.posted + freed.posted - (locked_account.held + freed.held)
     AND ${withSpend ? "coalesce(within_limits.within, true)" : "locked_account.spend_limit IS NULL"}
   -- A fixed order, so that two accounts that insert the same ids concurrently do not deadlock.
   ORDER BY queue.id
      ON CONFLICT (id) DO NOTHING
  RETURNING id, amount${spendColumns}
), ${withSpend ? `${applySpend(tables)}, ` : ""}change AS (
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
