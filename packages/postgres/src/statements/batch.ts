import type { SpendScope } from "@tollgate/core/store";
import type { Statement } from "../schema.ts";
import { type Checks, goodKeys, termsAccepted } from "./checks.ts";
import { dueBeforeBatch, endsOfBatch, numbersParameter } from "./end-holds.ts";
import { amountToHold, holdConditions, holdOutcome, leaseEnd, lowBalance } from "./hold.ts";
import { type InputColumn, inputRows } from "./input.ts";
import { applySpend, checkSpend, type SpendColumn, spendInput, spendStates } from "./spend.ts";

/** The input for a hold. `terms` and `notices` are JSON; `asked` is the amounts of a flexible hold. */
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

/** The input for what few holds have: the receipt of a charge of the host, whose metadata is JSON, and spend limits. */
export type RareColumn = "description" | "metadata" | SpendColumn;

/** The columns of the input for holds of which some have what is rare. All NULL for a hold without. */
export const fullHoldInput: readonly InputColumn<HoldColumn | RareColumn>[] = [
  ...holdInput,
  ["description", "text"],
  ["metadata", "text"],
  ...spendInput,
];

/**
 * Ends and creates holds of one account with one lock of its row and one commit. The commits of one row are sequential,
 * each with a flush to disk, so only sharing them raises throughput. $1 account; from $2 the ends, as {@link endInput}; then
 * the numbers of their receipts; then the allowance of all holds, as {@link holdConditions} reads it; then the holds, as
 * {@link holdInput}. Each id occurs once among the ends, and once among
 * the holds.
 *
 * Ends come first, so that holds can use the amounts that they release. Holds are created in order, each by what those before
 * it leave. With `full`, the input of the holds is {@link fullHoldInput}, and they must also be within their spend
 * limits. Without it, the statement touches no counter: no hold of an account with a limit of its own is created, and no
 * hold that is counted in one is ended. Calls whose outcome is `unprepared` must run one by one. Returns one row per call, the same as its own statement would return, and none for an
 * end of a hold of another account, or of a hold that it does not end.
 */
export function batchStatement(checks: Checks, full: boolean): Statement {
  const spendColumns = full ? ", account_spend, key_spend, token_spend" : "";
  const rareColumns = full ? `, description, metadata${spendColumns}` : "";
  const restOf = (scope: SpendScope) => `queue.${scope}_rest - ${usedOf(scope)}`;
  const rest = full ? `least(taken.rest, ${restOf("account")}, ${restOf("key")}, ${restOf("token")})` : "taken.rest";
  const conditions = holdConditions(dueBeforeBatch, allowanceText);
  return (tables) => `
WITH RECURSIVE ${endsOfBatch(tables, full, `,\n         ${conditions}`)}, asked_hold AS (
  ${inputRows(full ? fullHoldInput : holdInput, numbersParameter + 2)}
), good_key AS (
  ${goodKeys(tables, checks, "SELECT key_id FROM asked_hold")}
), judged_hold AS (
  SELECT *, key_id IS NULL OR key_id IN (SELECT * FROM good_key) AS key_good,
         ${termsAccepted(tables, checks, "asked_hold.terms")} AS terms_good
    FROM asked_hold
), ${full ? `${checkSpend(tables)}, ` : ""}queue AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY place) AS turn, *
    FROM judged_hold ${full ? "LEFT JOIN limited USING (place)" : ""}
   WHERE key_good AND terms_good ${full ? "AND coalesce(limited.counted, true)" : ""}
     -- The id of a hold that exists takes nothing from those after it. A subquery, so that each is found by its index.
     AND (SELECT true FROM ${tables.hold} AS known WHERE known.id = judged_hold.id) IS NULL
), taken AS (
  -- A sum of bigints is numeric: it does not overflow.
  SELECT 0::bigint AS turn, NULL::numeric AS amount,
         locked_account.posted + freed.posted - (locked_account.held + freed.held) AS rest ${full ? ", '{}'::jsonb AS used" : ""}
    FROM locked_account CROSS JOIN freed WHERE NOT frozen AND prepared ${full ? "" : "AND locked_account.spend_limit IS NULL"}
   UNION ALL
  SELECT queue.turn, step.amount, taken.rest - coalesce(step.amount, 0) ${full ? `, ${usedAfter}` : ""}
    FROM taken JOIN queue ON queue.turn = taken.turn + 1
   CROSS JOIN LATERAL (SELECT ${rest} AS rest) AS left_over
   CROSS JOIN LATERAL (
     SELECT ${amountToHold("left_over.rest", "queue.amount", "queue.floor_amount", "queue.least_amount")} AS amount
   ) AS step
), made AS (
  INSERT INTO ${tables.hold} (id, account_id, key_id, amount, expires_at, request_id, model, dialect, notices, asked${rareColumns})
  SELECT queue.id, $1, key_id, taken.amount, ${leaseEnd("lease_ms")}, request_id, model, dialect, notices, asked${rareColumns}
    FROM queue JOIN taken USING (turn)
   WHERE taken.amount IS NOT NULL
   -- A fixed order, so that two accounts that insert the same ids concurrently do not deadlock.
   ORDER BY queue.id
      ON CONFLICT (id) DO NOTHING
  RETURNING id, amount, notices${spendColumns}
), ${full ? `${applySpend(tables)}, ` : ""}change AS (
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
SELECT judged_hold.id, ${holdOutcome("made.id IS NOT NULL", allowanceText)}, made.amount::text,
       (locked_account.posted + change.posted)::text, (locked_account.held + change.held)::text,
       locked_account.spend_limit::text, ${full ? spendStates : "NULL"}
  FROM judged_hold LEFT JOIN made USING (id) CROSS JOIN change LEFT JOIN locked_account ON true`;
}

const allowanceText = `$${numbersParameter + 1}::text`;

/** What the holds before have taken of the limit of a hold. */
const usedOf = (scope: SpendScope): string => `coalesce((taken.used->>queue.${scope}_spend::text)::numeric, 0)`;

const usedAfter: string = ["taken.used", ...(["account", "key", "token"] as const).map(addUsed)].join(" || ");

function addUsed(scope: SpendScope): string {
  return `CASE WHEN queue.${scope}_spend IS NULL THEN '{}'
               ELSE jsonb_build_object(queue.${scope}_spend, ${usedOf(scope)} + coalesce(step.amount, 0)) END`;
}
