import {
  checkedWholeNumber,
  dividePieces,
  orderSummary,
  type UsagePiece,
  type UsageQuery,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import { sums, toTotals } from "./usage-columns.ts";
import { allOf, type Condition, dimensionSql, filterConditions } from "./usage-conditions.ts";

/** Reads the summary of a query in one statement. */
export function readSummary(connection: Connection, query: UsageQuery): readonly UsageSummaryRow[] {
  const top = checkedWholeNumber("top", query.top ?? 20, 1);
  const pieces = dividePieces(query).map((piece) => (piece.totals === undefined ? ofRows : ofTotals)(query, piece));
  if (pieces.length === 0) return [];
  const summed = sums.map(({ column }) => `sum(${column}) AS ${column}`).join(", ");
  const sql = `
    WITH piece AS MATERIALIZED (${pieces.map((piece) => piece.sql).join(" UNION ALL ")}),
      ranked AS (
        SELECT name, row_number() OVER (ORDER BY sum(cost) DESC, sum(requests) DESC, name) > ? AS is_other
        FROM piece GROUP BY name)
    SELECT start, iif(is_other, '', name) AS group_name, is_other, ${summed}
    FROM piece JOIN ranked USING (name) GROUP BY 1, 2, 3`;
  const rows = connection.query(sql, toSummaryRow).all(...pieces.flatMap(({ values }) => values), top);
  return orderSummary(rows);
}

function ofRows({ bucket, from, groupBy, filter }: UsageQuery, piece: UsagePiece): Condition {
  const { sql, values } = allOf([
    { sql: "at >= ? AND at < ?", values: [piece.from, piece.to] },
    ...filterConditions(filter),
  ]);
  const name = groupBy === undefined ? "''" : dimensionSql[groupBy];
  const summed = sums.map(({ column, ofRow }) => `sum(${ofRow}) AS ${column}`).join(", ");
  return {
    sql: `SELECT ${bucketSql(bucket, from, "at")} AS start, ${name} AS name, ${summed}
      FROM tollgate_usage WHERE ${sql} GROUP BY 1, 2`,
    values,
  };
}

function ofTotals({ bucket, from, groupBy, filter }: UsageQuery, piece: UsagePiece): Condition {
  const { dimension = "model", grain } = piece.totals ?? {};
  const only = filter?.[dimension];
  const conditions: Condition[] = [
    {
      sql: "dimension = ? AND grain = ? AND start >= ? AND start < ?",
      values: [dimension, grain, piece.from, piece.to],
    },
  ];
  if (only !== undefined) conditions.push({ sql: "name = ?", values: [searchable(only)] });
  const { sql, values } = allOf(conditions);
  const summed = sums.map(({ column }) => `sum(${column}) AS ${column}`).join(", ");
  return {
    sql: `SELECT ${bucketSql(bucket, from, "start")} AS start, ${groupBy === undefined ? "''" : "name"} AS name, ${summed}
      FROM tollgate_usage_total WHERE ${sql} GROUP BY 1, 2`,
    values,
  };
}

function bucketSql(bucket: UsageQuery["bucket"], from: Date, column: string): string {
  switch (bucket) {
    case "hour":
      return `${column} - ${column} % 3600000`;
    case "day":
      return `${column} - ${column} % 86400000`;
    case "month":
      return `unixepoch(${column} / 1000, 'unixepoch', 'start of month') * 1000`;
    case "all":
      return `${from.getTime()} + 0`;
  }
}

function toSummaryRow(row: Row): UsageSummaryRow {
  const group = row.text("group_name");
  return {
    start: row.time("start"),
    ...(group === "" ? {} : { group }),
    others: row.integer("is_other") !== 0n,
    ...toTotals(row),
  };
}
