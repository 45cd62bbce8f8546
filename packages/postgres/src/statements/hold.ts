import type { Statement, Tables } from "../schema.ts";
import { type Checks, goodKeys, termsAccepted } from "./checks.ts";

/**
 * Creates one hold without spend limits, unless the account has one of its own. $1 account, $2 id, $3 key id (NULL: without a
 * key), $4 amount, $5 lease in milliseconds, $6 terms as a JSON array, $7 request id, $8 model, $9 dialect, $10 description and
 * $11 metadata of a charge of the host, $12 rules for notices as JSON, $13 floor, $14 least, $15 the amounts as text if it is
 * flexible, $16 the allowance as {@link holdConditions} reads it.
 *
 * Returns one row: the id, the `outcome` of {@link holdOutcome}, the amount held, and the new balance, null if there is no
 * account. An id that is taken changes nothing: the hold is inserted before the account is updated, and only an inserted hold
 * counts.
 */
export function holdStatement(checks: Checks): Statement {
  return (tables) => `
WITH locked_account AS (
  SELECT posted, held, spend_limit, ${holdConditions("next_lapse <= clock_timestamp() AND posted > held", "$16::text")}
    FROM ${tables.account} WHERE id = $1 FOR UPDATE
), good_key AS (
  ${goodKeys(tables, checks, "SELECT $3::text AS id")}
), permission AS (
  SELECT $3::text IS NULL OR EXISTS (SELECT 1 FROM good_key) AS key_good, ${termsAccepted(tables, checks, "$6::jsonb")} AS terms_good
), made AS (
  INSERT INTO ${tables.hold} (id, account_id, key_id, amount, expires_at, request_id, model, dialect, description, metadata,
                              notices, asked)
  SELECT $2, $1, $3, ${amountToHold("posted::numeric - held", "$4::bigint", "$13::bigint", "$14::bigint")},
         ${leaseEnd("$5::double precision")}, $7, $8, $9, $10, $11, $12::jsonb, $15
    FROM locked_account, permission
   WHERE key_good AND terms_good AND NOT frozen AND prepared
     AND posted::numeric - held >= $14::bigint AND spend_limit IS NULL
      ON CONFLICT (id) DO NOTHING
  RETURNING amount, notices
), moved AS (
  UPDATE ${tables.account} SET held = account.held + made.amount, low_balance = ${lowBalance("made.notices")}
    FROM made WHERE account.id = $1 AND made.amount > 0
)
SELECT $2 AS id, (SELECT amount FROM made)::text AS amount, ${holdOutcome("EXISTS (SELECT 1 FROM made)", "$16::text")} AS outcome, posted::text AS posted,
       (held + coalesce((SELECT amount FROM made), 0))::text AS held,
       spend_limit::text AS own_limit, NULL AS spends
  FROM permission LEFT JOIN locked_account ON true`;
}

/**
 * Selects what a hold tests of the row of its account, besides the balance: whether it is `frozen`, and whether it is `prepared`.
 * Then nothing is `due` to expire, and the allowance, which is its window and its time zone or NULL, was granted for the present
 * window. An empty text for the allowance says that the transaction has prepared the account.
 */
export const holdConditions = (due: string, allowanceText: string): string =>
  `frozen_at IS NOT NULL AS frozen,
         (${allowanceText} = '') IS TRUE OR (${due}) IS NOT TRUE AND (${allowanceText} IS NULL
           OR coalesce(allowance = ${allowanceText} AND allowance_until > clock_timestamp(), false)) AS prepared`;

/**
 * The amount that a hold takes of `rest`, or NULL below its least, as `amountToHold` of core computes it. The floor and the
 * least of a hold that is not flexible are its amount.
 */
export const amountToHold = (rest: string, amount: string, floor: string, least: string): string =>
  `CASE WHEN ${rest} >= ${least} THEN least(${amount}, greatest(${floor}, div(${rest}, 4)), ${rest}) END`;

/** The amount of a low balance that an account keeps after a hold with these rules. */
export const lowBalance = (notices: string): string =>
  `CASE WHEN ${notices} IS NULL THEN account.low_balance ELSE (${notices}->>'lowBalance')::bigint END`;

/**
 * The outcome of a hold as its statement sees it: `held`, `key_refused`, `terms_refused`, `frozen`, `unprepared` when the
 * account must be prepared first, or `not_made` when the balance was insufficient or the id was taken. A refusal is final only
 * if the id is unused: a hold that another process created while the statement waited for the account is not in its snapshot.
 */
export const holdOutcome = (made: string, allowanceText: string): string =>
  `CASE WHEN ${made} THEN 'held' WHEN NOT key_good THEN 'key_refused' WHEN NOT terms_good THEN 'terms_refused'
            WHEN frozen THEN 'frozen' WHEN NOT coalesce(prepared, ${allowanceText} IS NULL) THEN 'unprepared' ELSE 'not_made' END`;

/** The end of a lease that begins now, independent of how long the statement has waited. */
export const leaseEnd = (milliseconds: string): string =>
  `clock_timestamp() + ${milliseconds} * interval '1 millisecond'`;

/**
 * Reads the existing holds with the ids $2 and the balance of account $1. Without such holds, returns one row with a
 * null id.
 */
export function existingHoldsStatement({ account, hold }: Tables): string {
  return `
SELECT account.posted::text AS posted, account.held::text AS held,
       hold.id, hold.account_id, hold.key_id, hold.amount::text AS amount,
       hold.state, hold.charged::text AS charged,
       coalesce(hold.asked, hold.amount::text) AS asked
  FROM (SELECT 1) AS always
  LEFT JOIN ${account} AS account ON account.id = $1
  LEFT JOIN (unnest($2::text[]) AS asked (id) CROSS JOIN LATERAL (
    -- With an offset, so that each hold is found by its id.
    SELECT * FROM ${hold} AS hold WHERE hold.id = asked.id OFFSET 0
  ) AS hold) ON true`;
}

/** Creates an account with a balance of zero, unless it exists. $1 account. */
export function newAccountStatement({ account }: Tables): string {
  return `INSERT INTO ${account} (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`;
}
