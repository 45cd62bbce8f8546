import { kindName } from "@tollgate/core/internal";
import { accountTotalKinds, prunedKinds, type TotalKind, totalKinds } from "@tollgate/core/store";
import type { Tables } from "../schema.ts";
import { sums } from "../usage-columns.ts";
import { dimensionSql, tagsOfKind } from "../usage-conditions.ts";
import { millisecondsOf, timestampOf } from "./times.ts";

const types: Readonly<Record<string, string>> = {
  at: "bigint",
  status: "integer",
  failed: "boolean",
  estimated: "boolean",
  attempts: "integer",
  duration_bucket: "smallint",
  first_content_bucket: "smallint",
  tags: "text[]",
};

const counts = [
  ...["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning", "cost", "upstream_cost"],
  ...["duration_ms", "first_content_ms"],
];

const columns = [
  ...["id", "at", "request_id", "account_id", "key_id", "plan", "endpoint", "dialect", "model", "provider"],
  ...["upstream_model", "status", "error_code", "ending", "failed", "estimated", "hold_id", "duration_bucket"],
  ...[
    "first_content_bucket",
    "attempts",
    "session_id",
    "end_user",
    "tags",
    "timeline",
    "attempts_by_target",
    "answer_id",
    ...counts,
  ],
];

const typeOf = (column: string): string => types[column] ?? (counts.includes(column) ? "bigint" : "text");

/**
 * Adds the rows of the JSON array $1, their totals and their attempts, which are the JSON array $2, and returns the number of new rows. Rows and totals are written in
 * a fixed order, so that concurrent writers wait for each other and do not deadlock.
 */
export function recordUsageStatement({ usageRow, usageTotal, usageAccountTotal, usageAttempt }: Tables): string {
  return `
WITH given AS (
  SELECT * FROM json_to_recordset($1::json) AS given (${columns.map((column) => `${column} ${typeOf(column)}`).join(", ")})
), added AS (
  INSERT INTO ${usageRow} (${columns.join(", ")})
  SELECT ${columns.map((column) => (column === "at" ? timestampOf("given.at") : column)).join(", ")}
    FROM given ORDER BY given.at, given.id
  ON CONFLICT (id, at) DO NOTHING
  RETURNING *
), totalled AS (
  ${addTotals(usageTotal, "added")}
), totalled_of_account AS (
  ${addAccountTotals(usageAccountTotal, "added")}
), attempted AS (
  INSERT INTO ${usageAttempt} AS known (start, provider, upstream_model, failure, attempts)
  SELECT ${timestampOf("tried.start")}, provider COLLATE "C", upstream_model COLLATE "C", failure COLLATE "C", sum(attempts)
    FROM (SELECT DISTINCT * FROM json_to_recordset($2::json) AS tried
            (id text, at bigint, start bigint, provider text, upstream_model text, failure text, attempts bigint)) AS tried
   WHERE (tried.id, ${timestampOf("tried.at")}) IN (SELECT added.id, added.at FROM added)
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (start, provider, upstream_model, failure) DO UPDATE SET attempts = known.attempts + excluded.attempts
)
SELECT count(*)::text AS added FROM added`;
}

/** The statement that adds the rows of a table to their totals, by default to all kinds of them. */
export const addTotals = (usageTotal: string, rows: string, of: readonly TotalKind[] = totalKinds): string =>
  addSums(usageTotal, rows, of, []);

/** The statement that adds the rows of a table to the totals of their accounts. */
export const addAccountTotals = (usageAccountTotal: string, rows: string): string =>
  addSums(usageAccountTotal, rows, accountTotalKinds, ["account_id"]);

/** `key` are the columns of the primary key before kind, start and name. */
function addSums(table: string, rows: string, of: readonly TotalKind[], key: readonly string[]): string {
  const kinds = of.map((kind) => `('${kindName(kind)}', '${kind.dimension}', '${kind.grain}')`).join(", ");
  const dimensions = [...new Set(of.map(({ dimension }) => dimension))];
  const names = dimensions.map((dimension) => `WHEN '${dimension}' THEN ${dimensionSql[dimension]}`);
  const columns = [...key, "kind", "start", "name"];
  const places = columns.map((_, index) => index + 1).join(", ");
  const selected = [
    ...key,
    `kind.kind COLLATE "C"`,
    "date_trunc(kind.grain, at, 'UTC')",
    `CASE kind.dimension ${names.join(" ")} END`,
    ...sums.map(({ ofRows }) => ofRows),
  ];
  return `INSERT INTO ${table} AS total (${[...columns, ...sums.map(({ column }) => column)].join(", ")})
  SELECT ${selected.join(", ")}
    FROM ${rows} CROSS JOIN (VALUES ${kinds}) AS kind (kind, dimension, grain)
         ${dimensions.includes("tag") ? tagsOfKind : ""}
   GROUP BY ${places} ORDER BY ${places}
  ON CONFLICT (${columns.join(", ")}) DO UPDATE
     SET ${sums.map(({ column }) => `${column} = total.${column} + excluded.${column}`).join(", ")}`;
}

/** Sums the attempts from the hour $1 to before the time $2, both in milliseconds. */
export const attemptsStatement = ({ usageAttempt }: Tables): string => `
SELECT provider, upstream_model, failure, sum(attempts)::text AS attempts FROM ${usageAttempt}
 WHERE start >= ${timestampOf("$1")} AND start < ${timestampOf("$2")} GROUP BY 1, 2, 3`;

/** The columns of a row, as text. */
export const rowColumns = columns
  .map((column) => {
    if (column === "at") return `${millisecondsOf("at")} AS at`;
    return column === "tags" ? "array_to_json(tags)::text AS tags" : `${column}::text AS ${column}`;
  })
  .join(", ");

/**
 * Erases the end users, tags and timelines of at most 10,000 rows of account $1 after the position $2 and $3, and replaces its sums by tag with those of
 * requests without a tag. Returns one row with the number of rows that it `changed`, and the position of the last row if there may be more.
 */
export function forgetUsageStatement({ usageRow, usageAccountTotal }: Tables): string {
  return `
WITH by_model AS MATERIALIZED (
  -- Each request has one model. Recording locks these rows before those of tags.
  SELECT * FROM ${usageAccountTotal} WHERE account_id = $1 AND kind = 'model day' ORDER BY start, name FOR UPDATE
), dropped AS (
  DELETE FROM ${usageAccountTotal} WHERE account_id = $1 AND kind = 'tag day' AND name <> ''
), untagged AS (
  INSERT INTO ${usageAccountTotal} AS total (account_id, kind, start, name, ${sums.map(({ column }) => column).join(", ")})
  SELECT account_id, 'tag day', start, '', ${sums.map(({ ofTotals }) => ofTotals).join(", ")}
    FROM by_model GROUP BY account_id, start ORDER BY start
  ON CONFLICT (account_id, kind, start, name) DO UPDATE
     SET ${sums.map(({ column }) => `${column} = excluded.${column}`).join(", ")}
), batch AS MATERIALIZED (
  SELECT id, at, end_user IS NOT NULL OR tags <> '{}' OR timeline <> '[]' AS told FROM ${usageRow}
   WHERE account_id = $1 AND ($2::bigint IS NULL OR (at, id) > (${timestampOf("$2::bigint")}, $3::text))
   ORDER BY at, id LIMIT 10000
), changed AS (
  UPDATE ${usageRow} AS kept SET end_user = NULL, tags = '{}', timeline = '[]'
    FROM batch WHERE batch.told AND kept.id = batch.id AND kept.at = batch.at
  RETURNING 1
), ending AS (
  SELECT id, at FROM batch WHERE (SELECT count(*) FROM batch) = 10000 ORDER BY at DESC, id DESC LIMIT 1
)
SELECT (SELECT count(*) FROM changed)::text AS changed, (SELECT id FROM ending) AS id,
       (SELECT ${millisecondsOf("ending.at")} FROM ending) AS at`;
}

/**
 * Removes at most 10,000 rows before the time $1 in milliseconds, and returns how many; and the totals of the hours before
 * that time, of the kinds that are not kept.
 */
export function pruneUsageStatement({ usageRow, usageTotal }: Tables): string {
  return `
WITH pruned_totals AS (
  DELETE FROM ${usageTotal} WHERE kind IN (${prunedKinds.map((kind) => `'${kindName(kind)}'`).join(", ")})
     AND start < date_trunc('hour', ${timestampOf("$1")}, 'UTC')
), pruned AS (
  DELETE FROM ${usageRow} AS kept USING (
    SELECT id, at FROM ${usageRow} WHERE at < ${timestampOf("$1")} ORDER BY at LIMIT 10000
  ) AS old WHERE kept.id = old.id AND kept.at = old.at
  RETURNING 1
)
SELECT count(*)::text AS pruned FROM pruned`;
}
