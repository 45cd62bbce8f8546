import type { Statement } from "../schema.ts";
import { type Checks, goodKeys, termsAccepted } from "./checks.ts";
import { endInput, endsOfBatch } from "./end-holds.ts";
import { amountToHold, holdOutcome, leaseEnd, lowBalance } from "./hold.ts";
import { type InputColumn, inputRows } from "./input.ts";
import { applySpend, checkSpend, type SpendColumn, spendInput, spendStates } from "./spend.ts";

/** The input for a hold without spend limits. `terms` and `notices` are JSON; `asked` is the amounts of a flexible hold. */
export type HoldColumn =
  | "id"
  | "key_id"
  | "amount"
  | "lease_ms"
  | "terms"
  | "request_id"
  | "model"
  | "dialect"
  | "notices"
  | "floor_amount"
  | "least_amount"
  | "asked";

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
  ["floor_amount", "bigint"],
  ["least_amount", "bigint"],
  ["asked", "text"],
];

/** The columns of the input for holds with spend limits. All NULL for a hold without. */
export const holdInputWithSpend: readonly InputColumn<HoldColumn | SpendColumn>[] = [...holdInput, ...spendInput];

/**
 * Ends and creates holds of one account with one lock of its row and one commit. The commits of one row are sequential,
 * each with a flush to disk, so only sharing them raises throughput. $1 account; from $2 the ends, as {@link endInput}; then
 * the numbers of their receipts; then the holds, as {@link holdInput}. Each id occurs once among the ends, and once among
 * the holds.
 *
 * Ends come first, so that holds can use the amounts that they release. Holds are created in order, each by what those before
 * it leave. With `withSpend`, the input of the holds is {@link holdInputWithSpend}, and they must also be within their spend
 * limits. Without it, the statement touches no counter: no hold of an account with a limit of its own is created, and no
 * hold that is counted in one is ended. Returns one row per call, the same as its own statement would return, and none for an
 * end of a hold of another account, or of a hold that it does not end.
 */
export function batchStatement(checks: Checks, withSpend: boolean): Statement {
  const spendColumns = withSpend ? ", account_spend, key_spend" : "";
  const restOf = (scope: "account" | "key") => `queue.${scope}_rest - ${usedOf(scope)}`;
  const rest = withSpend ? `least(taken.rest, ${restOf("account")}, ${restOf("key")})` : "taken.rest";
  return (tables) => `
WITH RECURSIVE ${endsOfBatch(tables, withSpend)}, asked_hold AS (
  ${inputRows(withSpend ? holdInputWithSpend : holdInput, endInput.length + 3)}
), good_key AS (
  ${goodKeys(tables, checks, "SELECT key_id FROM asked_hold")}
), judged_hold AS (
  SELECT *, key_id IN (SELECT * FROM good_key) AS key_good,
         ${termsAccepted(tables, checks, "asked_hold.terms")} AS terms_good
    FROM asked_hold
), ${withSpend ? `${checkSpend(tables)}, ` : ""}queue AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY place) AS turn, *
    FROM judged_hold ${withSpend ? "LEFT JOIN limited USING (place)" : ""}
   WHERE key_good AND terms_good ${withSpend ? "AND coalesce(limited.counted, true)" : ""}
     -- The id of a hold that exists takes nothing from those after it. A subquery, so that each is found by its index.
     AND (SELECT true FROM ${tables.hold} AS known WHERE known.id = judged_hold.id) IS NULL
), taken AS (
  -- A sum of bigints is numeric: it does not overflow.
  SELECT 0::bigint AS turn, NULL::numeric AS amount,
         locked_account.posted + freed.posted - (locked_account.held + freed.held) AS rest ${withSpend ? ", '{}'::jsonb AS used" : ""}
    FROM locked_account CROSS JOIN freed ${withSpend ? "" : "WHERE locked_account.spend_limit IS NULL"}
   UNION ALL
  SELECT queue.turn, step.amount, taken.rest - coalesce(step.amount, 0) ${withSpend ? `, ${usedAfter}` : ""}
    FROM taken JOIN queue ON queue.turn = taken.turn + 1
   CROSS JOIN LATERAL (SELECT ${rest} AS rest) AS left_over
   CROSS JOIN LATERAL (
     SELECT ${amountToHold("left_over.rest", "queue.amount", "queue.floor_amount", "queue.least_amount")} AS amount
   ) AS step
), made AS (
  INSERT INTO ${tables.hold} (id, account_id, key_id, amount, expires_at, request_id, model, dialect, notices, asked${spendColumns})
  SELECT queue.id, $1, key_id, taken.amount, ${leaseEnd("lease_ms")}, request_id, model, dialect, notices, asked${spendColumns}
    FROM queue JOIN taken USING (turn)
   WHERE taken.amount IS NOT NULL
   -- A fixed order, so that two accounts that insert the same ids concurrently do not deadlock.
   ORDER BY queue.id
      ON CONFLICT (id) DO NOTHING
  RETURNING id, amount, notices${spendColumns}
), ${withSpend ? `${applySpend(tables)}, ` : ""}change AS (
  SELECT posted, held + coalesce((SELECT sum(amount) FROM made), 0) AS held,
         (SELECT notices FROM made WHERE notices IS NOT NULL LIMIT 1) AS notices
    FROM freed
), moved AS (
  UPDATE ${tables.account}
     SET posted = account.posted + change.posted, held = account.held + change.held, low_balance = ${lowBalance("change.notices")}
    FROM change WHERE account.id = $1 AND (change.posted <> 0 OR change.held <> 0)
)
SELECT id, outcome, NULL AS amount, NULL AS posted, NULL AS held, NULL AS own_limit, NULL AS spends FROM judged_end
UNION ALL
SELECT judged_hold.id, ${holdOutcome("made.id IS NOT NULL")}, made.amount::text,
       (locked_account.posted + change.posted)::text, (locked_account.held + change.held)::text,
       locked_account.spend_limit::text, ${withSpend ? spendStates : "NULL"}
  FROM judged_hold LEFT JOIN made USING (id) CROSS JOIN change LEFT JOIN locked_account ON true`;
}

/** What the holds before have taken of the limit of a hold. */
const usedOf = (scope: "account" | "key"): string => `coalesce((taken.used->>queue.${scope}_spend::text)::numeric, 0)`;

const usedAfter: string = ["taken.used", ...(["account", "key"] as const).map(addUsed)].join(" || ");

function addUsed(scope: "account" | "key"): string {
  return `CASE WHEN queue.${scope}_spend IS NULL THEN '{}'
               ELSE jsonb_build_object(queue.${scope}_spend, ${usedOf(scope)} + coalesce(step.amount, 0)) END`;
}
