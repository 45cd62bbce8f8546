import {
  checkedWholeNumber,
  dividePieces,
  orderSummary,
  type UsagePiece,
  type UsageQuery,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { PostgresPool } from "./pool.ts";
import { millisecondsOf, Row } from "./row.ts";
import type { Tables } from "./schema.ts";
import { inTransaction } from "./transaction.ts";
import { sums, toTotals } from "./usage-columns.ts";
import { dimensionSql, equalSql, filterSql, Values } from "./usage-conditions.ts";

/** Reads the summary of a query in one statement. */
export async function readSummary(
  pool: PostgresPool,
  tables: Tables,
  query: UsageQuery,
): Promise<readonly UsageSummaryRow[]> {
  const top = checkedWholeNumber("top", query.top ?? 20, 1);
  const pieces = dividePieces(query);
  if (pieces.length === 0) return [];
  const values = new Values();
  const sql = summarySql(tables, query, pieces, values, top);
  const { rows } = await inTransaction(pool, async (connection) => {
    // Compiling the many sums takes longer than computing them.
    await connection.query({ text: "SET LOCAL jit = off" });
    return connection.query({ text: sql, values: values.list });
  });
  return orderSummary(rows.map((columns) => toSummaryRow(new Row(columns))));
}

function summarySql(
  tables: Tables,
  query: UsageQuery,
  pieces: readonly UsagePiece[],
  values: Values,
  top: number,
): string {
  const parts = pieces.map((piece) =>
    piece.totals === undefined ? ofRows(tables, query, piece, values) : ofTotals(tables, query, piece, values),
  );
  return `
WITH piece AS MATERIALIZED (
  ${parts.join("\n  UNION ALL\n  ")}
), ranked AS (
  SELECT name, row_number() OVER (ORDER BY sum(cost) DESC, sum(requests) DESC, name) > ${values.add(top)}::bigint AS is_other
    FROM piece GROUP BY name
)
SELECT ${millisecondsOf("start")} AS start, CASE WHEN is_other THEN '' ELSE name END AS group_name, is_other::text AS is_other,
       ${sums.map(({ column }) => `sum(${column})::text AS ${column}`).join(", ")}
  FROM piece JOIN ranked USING (name) GROUP BY piece.start, 2, ranked.is_other`;
}

function ofRows({ usageRow }: Tables, query: UsageQuery, { from, to }: UsagePiece, values: Values): string {
  const { groupBy, filter } = query;
  const conditions = [`at >= ${values.time(from)}`, `at < ${values.time(to)}`, ...filterSql(values, filter)];
  return `SELECT ${bucketSql(query, "at", values)} AS start, ${groupBy === undefined ? "''" : dimensionSql[groupBy]} AS name,
         ${sums.map(({ column, ofRows }) => `${ofRows} AS ${column}`).join(", ")}
    FROM ${usageRow} WHERE ${conditions.join(" AND ")} GROUP BY 1, 2`;
}

function ofTotals({ usageTotal }: Tables, query: UsageQuery, { from, to, totals }: UsagePiece, values: Values): string {
  const { dimension = "model", grain } = totals ?? {};
  const only = query.filter?.[dimension];
  const conditions = [
    `dimension = ${values.add(dimension)}::text AND grain = ${values.add(grain)}::text`,
    `total.start >= ${values.time(from)} AND total.start < ${values.time(to)}`,
    ...(only === undefined ? [] : [equalSql(values, "name", only)]),
  ];
  return `SELECT ${bucketSql(query, "total.start", values)} AS start, ${query.groupBy === undefined ? "''" : "total.name"} AS name,
         ${sums.map(({ column }) => `sum(${column}) AS ${column}`).join(", ")}
    FROM ${usageTotal} AS total WHERE ${conditions.join(" AND ")} GROUP BY 1, 2`;
}

function bucketSql({ bucket, from }: UsageQuery, column: string, values: Values): string {
  return bucket === "all" ? values.time(from) : `date_trunc('${bucket}', ${column}, 'UTC')`;
}

function toSummaryRow(row: Row): UsageSummaryRow {
  const group = row.text("group_name");
  return {
    start: row.date("start"),
    ...(group === "" ? {} : { group }),
    others: row.optionalFlag("is_other") === true,
    ...toTotals(row),
  };
}
