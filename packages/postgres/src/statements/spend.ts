import type { Tables } from "../schema.ts";
import { type InputColumn, seemsRare } from "./input.ts";
import { isDue } from "./preparing.ts";
import { millisecondsOf } from "./times.ts";

/** The input for the spend limits of a hold. */
export type SpendColumn =
  | `${"account" | "key"}_${"limit" | "window" | "zone" | "models"}`
  | "limits_id"
  | "token_id"
  | "token_limit"
  | "token_removal";

/** The columns of the input for the spend limits of holds. Models are a JSON array. */
export const spendInput: readonly InputColumn<SpendColumn>[] = [
  ["account_limit", "bigint"],
  ["account_window", "text"],
  ["account_zone", "text"],
  ["account_models", "text"],
  ["key_limit", "bigint"],
  ["key_window", "text"],
  ["key_zone", "text"],
  ["key_models", "text"],
  ["limits_id", "text"],
  ["token_id", "text"],
  ["token_limit", "bigint"],
  ["token_removal", "timestamptz"],
];

/** The start of the window that contains a moment. A day begins at midnight in its time zone, and a week on Monday. */
export const windowStart = (period: string, zone: string, now: string): string =>
  `CASE ${period} WHEN 'total' THEN timestamptz 'epoch'
        ELSE date_trunc(${period}, ${now} AT TIME ZONE ${zone}) AT TIME ZONE ${zone} END`;

/** The start of the window after the one that contains a moment, in milliseconds. NULL for the window "total". */
export const windowEnd = (period: string, zone: string, now: string): string =>
  millisecondsOf(`CASE ${period} WHEN 'total' THEN NULL
        ELSE (date_trunc(${period}, ${now} AT TIME ZONE ${zone}) + ('1 ' || ${period})::interval) AT TIME ZONE ${zone} END`);

/**
 * The sums that the ends in `ending` change, by the id of the counter. Materialized, so that the condition of `applyFreedSpend` is
 * tested on the counters rather than on the ends.
 */
export const freedSpend = `freed_spend AS MATERIALIZED (
  SELECT counter, sum(held_change - posted_change) AS change
    FROM (SELECT account_spend AS counter, held_change, posted_change FROM ending WHERE account_spend IS NOT NULL
          UNION ALL
          SELECT key_spend, held_change, posted_change FROM ending WHERE key_spend IS NOT NULL
          UNION ALL
          SELECT token_spend, held_change, posted_change FROM ending WHERE token_spend IS NOT NULL) AS part
   GROUP BY counter
)`;

/** Adds the changes of `freed_spend` to their counters. */
export const applyFreedSpend = ({ spend }: Tables): string => `spent AS (
  UPDATE ${spend} AS spend SET spent = spend.spent + freed_spend.change
    FROM freed_spend WHERE spend.id = freed_spend.counter AND ${seemsRare("counter")}
)`;

/**
 * Finds and locks the counters of the present windows for the holds of `judged_hold`. The account's own limit overrides the
 * default of its plan. A limit of models applies to their holds alone. `limited` has one row for each hold with limits: its counters, and what each limit leaves before the
 * first hold. A counter that does not exist is created, and its hold must be retried: it is not in the statement's snapshot.
 */
export const checkSpend = ({ spend }: Tables): string => `clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now FROM locked_account
), wanted AS (
  SELECT place, model, 'account' AS scope, $1::text AS owner,
         coalesce(own.spend_limit, account_limit) AS most,
         CASE WHEN own.spend_limit IS NULL THEN account_window ELSE own.spend_window END AS period,
         CASE WHEN own.spend_limit IS NULL THEN account_zone ELSE own.spend_timezone END AS zone,
         CASE WHEN own.spend_limit IS NULL THEN account_models ELSE own.spend_models END AS models,
         NULL::timestamptz AS remove_at
    FROM judged_hold, locked_account AS own WHERE key_good AND terms_good AND NOT frozen AND prepared
   UNION ALL
  SELECT place, model, 'key', coalesce(limits_id, key_id), key_limit, key_window, key_zone, key_models, NULL
    FROM judged_hold, locked_account
   WHERE key_good AND terms_good AND NOT frozen AND prepared AND coalesce(limits_id, key_id) IS NOT NULL
   UNION ALL
  SELECT place, model, 'token', token_id, token_limit, 'total', NULL, NULL, token_removal
    FROM judged_hold, locked_account
   WHERE key_good AND terms_good AND NOT frozen AND prepared AND token_id IS NOT NULL
), windowed AS MATERIALIZED (
  SELECT wanted.*, owner || coalesce(${groupOf("models")}, '') AS subject, coalesce(zone, 'UTC') AS timezone,
         ${windowStart("period", "coalesce(zone, 'UTC')", "clock.now")} AS starts_at,
         ${windowEnd("period", "coalesce(zone, 'UTC')", "clock.now")} AS resets_at
    FROM wanted, clock WHERE most IS NOT NULL AND (models IS NULL OR ${hasMatch("models", "model")})
), counter AS MATERIALIZED (
  SELECT spend.*
    FROM (SELECT DISTINCT scope, subject, period, timezone, starts_at FROM windowed) AS asked
    JOIN ${spend} AS spend USING (scope, subject, period, timezone, starts_at)
   ORDER BY spend.id FOR UPDATE OF spend
), opened AS (
  INSERT INTO ${spend} (scope, subject, period, timezone, starts_at, remove_at)
  SELECT scope, subject, period, timezone, starts_at, min(remove_at) FROM windowed
   WHERE (scope, subject, period, timezone, starts_at)
         NOT IN (SELECT scope, subject, period, timezone, starts_at FROM counter)
   GROUP BY scope, subject, period, timezone, starts_at
      ON CONFLICT DO NOTHING
), counted AS MATERIALIZED (
  SELECT windowed.place, windowed.scope, windowed.most, windowed.period, windowed.zone, windowed.models, windowed.resets_at,
         counter.id AS counter, counter.spent + coalesce(freed_spend.change, 0) AS spent
    FROM windowed LEFT JOIN counter USING (scope, subject, period, timezone, starts_at)
    LEFT JOIN freed_spend ON freed_spend.counter = counter.id
), limited AS (
  SELECT place, bool_and(counter IS NOT NULL) AS counted,
         max(counter) FILTER (WHERE scope = 'account') AS account_spend,
         max(most - spent) FILTER (WHERE scope = 'account') AS account_rest,
         max(counter) FILTER (WHERE scope = 'key') AS key_spend,
         max(most - spent) FILTER (WHERE scope = 'key') AS key_rest,
         max(counter) FILTER (WHERE scope = 'token') AS token_spend,
         max(most - spent) FILTER (WHERE scope = 'token') AS token_rest
    FROM counted GROUP BY place
)`;

/** The end of the name of a counter, as `spendSubject` of core computes it from a JSON array of models. NULL without models. */
const groupOf = (models: string): string =>
  `(SELECT chr(31) || string_agg(DISTINCT name COLLATE "C", chr(31) ORDER BY name COLLATE "C")
      FROM json_array_elements_text(${models}::json) AS name)`;

/** Whether a model matches one of a JSON array, in which `*` matches any text. NULL for a charge of the host. */
const hasMatch = (models: string, model: string): string =>
  `EXISTS (SELECT FROM json_array_elements_text(${models}::json) AS name
            WHERE ${model} LIKE replace(replace(replace(replace(name, '!', '!!'), '%', '!%'), '_', '!_'), '*', '%') ESCAPE '!')`;

/** Adds to each counter what the ends freed and the holds in `made` took. */
export const applySpend = ({ spend }: Tables): string => `made_spend AS (
  SELECT counter, sum(amount) AS change
    FROM (SELECT account_spend AS counter, amount FROM made WHERE account_spend IS NOT NULL
          UNION ALL
          SELECT key_spend, amount FROM made WHERE key_spend IS NOT NULL
          UNION ALL
          SELECT token_spend, amount FROM made WHERE token_spend IS NOT NULL) AS part
   GROUP BY counter
), spend_change AS (
  SELECT counter, sum(change) AS change
    FROM (SELECT * FROM freed_spend UNION ALL SELECT * FROM made_spend) AS part GROUP BY counter
), spent AS (
  UPDATE ${spend} AS spend SET spent = spend.spent + spend_change.change
    FROM spend_change WHERE spend.id = spend_change.counter AND ${seemsRare("counter")}
)`;

/** Selects the limits of a hold of `judged_hold` and what is spent of each after the statement, as a JSON array. */
export const spendStates = `(
  SELECT json_agg(json_build_object('scope', scope, 'limit', most::text, 'window', period, 'zone', zone,
                                    'models', models::json, 'spent', (spent + coalesce(made_spend.change, 0))::text, 'resetsAt', resets_at)
                  ORDER BY scope)::text
    FROM counted LEFT JOIN made_spend ON made_spend.counter = counted.counter
   WHERE counted.place = judged_hold.place AND counted.counter IS NOT NULL)`;

/** Sets the limit of account $1: $2 amount, $3 window, $4 time zone, $5 models as JSON; all NULL for none. */
export function limitSpendStatement({ account }: Tables): string {
  return `
INSERT INTO ${account} AS account (id, spend_limit, spend_window, spend_timezone, spend_models)
VALUES ($1, $2::bigint, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE
   SET spend_limit = excluded.spend_limit, spend_window = excluded.spend_window, spend_timezone = excluded.spend_timezone,
       spend_models = excluded.spend_models`;
}

/** Selects what is spent of limits. $1 a JSON array of { place, scope, id, window, zone }. One row for each, in order. */
export function spendStatement({ spend }: Tables): string {
  return `
SELECT coalesce(spend.spent, 0)::text AS spent, ${windowEnd("asked.window", "asked.zone", "clock.now")} AS resets_at
  FROM json_to_recordset($1::json) AS asked (place int, scope text, id text, "window" text, zone text)
 CROSS JOIN (SELECT clock_timestamp() AS now) AS clock
  LEFT JOIN ${spend} AS spend
    ON (spend.scope, spend.subject, spend.period, spend.timezone, spend.starts_at)
     = (asked.scope, asked.id, asked.window, asked.zone, ${windowStart("asked.window", "asked.zone", "clock.now")})
 ORDER BY asked.place`;
}

const accountColumns = (
  tables: Tables,
): string => `id, posted::text AS posted, held::text AS held, spend_limit::text AS spend_limit, spend_window,
       spend_timezone, spend_models, ${millisecondsOf("frozen_at")} AS frozen_at, frozen_reason, CASE WHEN ${isDue(tables, "account")} THEN id END AS due`;

/** Selects account $1, and names it as `due` if an amount is due to expire. */
export function findAccountStatement(tables: Tables): string {
  return `SELECT ${accountColumns(tables)} FROM ${tables.account} AS account WHERE id = $1`;
}

/** Selects at most $3 accounts after id $1 whose ids begin with $2. The column compares by bytes. */
export function listAccountsStatement(tables: Tables): string {
  return `SELECT ${accountColumns(tables)} FROM ${tables.account} AS account WHERE id > $1 AND starts_with(id, $2) ORDER BY id LIMIT $3::bigint`;
}

/** Removes counters of tokens whose time has come, but none that another call is changing. */
export const removeCapsStatement = ({ spend }: Tables): string => `
DELETE FROM ${spend} WHERE id IN (
  SELECT id FROM ${spend} WHERE remove_at <= clock_timestamp() LIMIT 10000 FOR UPDATE SKIP LOCKED)`;
