import {
  checkedWholeNumber,
  dividePieces,
  mergeSummary,
  packedTotals,
  type TotalKind,
  type UsagePiece,
  type UsageQuery,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import { searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import { pack, sums } from "./usage-columns.ts";
import { allOf, type Condition, dimensionSql, filterConditions, kindName } from "./usage-conditions.ts";

/** Reads the summary of a query in one statement. */
export function readSummary(connection: Connection, query: UsageQuery): readonly UsageSummaryRow[] {
  const top = checkedWholeNumber("top", query.top ?? 20, 1);
  const pieces = dividePieces(query, Date.now()).map((piece) =>
    piece.totals === undefined ? ofRows(query, piece) : ofTotals(query, { ...piece, ...piece.totals }),
  );
  if (pieces.length === 0) return [];
  const columns = sums.map(({ column }) => column);
  const sql = `
    WITH piece AS MATERIALIZED (${pieces.map((piece) => piece.sql).join(" UNION ALL ")}),
      ranked AS MATERIALIZED (
        SELECT name, row_number() OVER (ORDER BY sum(cost) DESC, sum(requests) DESC, name) > ? AS is_other
        FROM piece GROUP BY name HAVING sum(requests) > 0)
    SELECT start, name, 0 AS is_other, ${pack(columns)} AS sums FROM piece JOIN ranked USING (name) WHERE NOT is_other
    UNION ALL
    SELECT start, '', 1, ${pack(columns.map((column) => `sum(${column})`))}
    FROM piece JOIN ranked USING (name) WHERE is_other GROUP BY start`;
  return mergeSummary(connection.query(sql, toSummaryRow).all(...pieces.flatMap(({ values }) => values), top));
}

function ofRows({ bucket, from, groupBy, filter }: UsageQuery, piece: UsagePiece): Condition {
  const { sql, values } = allOf([
    { sql: "at >= ? AND at < ?", values: [piece.from, piece.to] },
    ...filterConditions(filter),
  ]);
  const name = groupBy === undefined ? "''" : dimensionSql[groupBy];
  const sum = piece.subtracted === true ? "-sum" : "sum";
  const summed = sums.map(({ column, ofRow }) => `${sum}(${ofRow}) AS ${column}`).join(", ");
  return {
    sql: `SELECT ${bucketSql(bucket, from, "at")} AS start, ${name} AS name, ${summed}
      FROM tollgate_usage WHERE ${sql} GROUP BY 1, 2`,
    values,
  };
}

function ofTotals({ bucket, from, groupBy, filter }: UsageQuery, piece: UsagePiece & TotalKind): Condition {
  const only = filter?.[piece.dimension];
  const conditions: Condition[] = [
    { sql: "kind = ? AND start >= ? AND start < ?", values: [kindName(piece), piece.from, piece.to] },
  ];
  if (only !== undefined) conditions.push({ sql: "name = ?", values: [searchable(only)] });
  const { sql, values } = allOf(conditions);
  const isOneTotal = piece.grain === bucket && (groupBy ?? only) !== undefined;
  const summed = sums.map(({ column }) => (isOneTotal ? column : `sum(${column}) AS ${column}`)).join(", ");
  const start = isOneTotal ? "start" : bucketSql(bucket, from, "start");
  return {
    sql: `SELECT ${start} AS start, ${groupBy === undefined ? "''" : "name"} AS name, ${summed}
      FROM tollgate_usage_total WHERE ${sql} ${isOneTotal ? "" : "GROUP BY 1, 2"}`,
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

function toSummaryRow(row: Row) {
  const group = row.text("name");
  return {
    start: row.time("start"),
    ...(group === "" ? {} : { group }),
    others: row.integer("is_other") !== 0n,
    ...packedTotals(row.text("sums")),
  };
}
