import { kindName, TextRow, topOf } from "@tollgate/core/internal";
import {
  dividePieces,
  mergeSummary,
  packedTotals,
  type TotalKind,
  type UsagePiece,
  type UsageQuery,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { PostgresPool } from "./pool.ts";
import type { Tables } from "./schema.ts";
import { millisecondsOf } from "./statements/times.ts";
import { inTransaction } from "./transaction.ts";
import { pack, sums } from "./usage-columns.ts";
import { dimensionSql, equalSql, filterSql, tagsOfRow, Values } from "./usage-conditions.ts";

/** Reads the summary of a query in one statement. */
export async function readSummary(
  pool: PostgresPool,
  tables: Tables,
  query: UsageQuery,
): Promise<readonly UsageSummaryRow[]> {
  const top = topOf(query);
  const pieces = dividePieces(query, Date.now());
  if (pieces.length === 0) return [];
  const values = new Values();
  const sql = summarySql(tables, query, pieces, values, top);
  const { rows } = await inTransaction(pool, async (connection) => {
    // Compiling the many sums takes longer than computing them.
    await connection.query({ text: "SET LOCAL jit = off" });
    return connection.query({ text: sql, values: values.list });
  });
  return mergeSummary(rows.map((columns) => toSummaryRow(new TextRow(columns))));
}

function summarySql(
  tables: Tables,
  query: UsageQuery,
  pieces: readonly UsagePiece[],
  values: Values,
  top: number,
): string {
  const parts = pieces.map((piece) =>
    piece.totals === undefined
      ? ofRows(tables, query, piece, values)
      : ofTotals(tables, query, { ...piece, ...piece.totals }, values),
  );
  return `
WITH piece AS MATERIALIZED (
  ${parts.join("\n  UNION ALL\n  ")}
), ranked AS MATERIALIZED (
  SELECT name, row_number() OVER (ORDER BY sum(cost) DESC, sum(requests) DESC, name) > ${values.add(top)}::bigint AS is_other
    FROM piece GROUP BY name HAVING sum(requests) > 0
)
SELECT ${millisecondsOf("start")} AS start, name, 'false' AS is_other, ${pack(sums.map(({ column }) => column))} AS sums
  FROM piece JOIN ranked USING (name) WHERE NOT is_other
UNION ALL
SELECT ${millisecondsOf("start")}, '', 'true', ${pack(sums.map(({ ofTotals }) => ofTotals))}
  FROM piece JOIN ranked USING (name) WHERE is_other GROUP BY piece.start`;
}

function ofRows({ usageRow }: Tables, query: UsageQuery, piece: UsagePiece, values: Values): string {
  const { groupBy, filter } = query;
  const conditions = [
    `at >= ${values.time(piece.from)}`,
    `at < ${values.time(piece.to)}`,
    ...filterSql(values, filter),
  ];
  const sign = piece.subtracted === true ? "-" : "";
  return `SELECT ${bucketSql(query, "at", values)} AS start, ${groupBy === undefined ? "''" : dimensionSql[groupBy]} AS name,
         ${sums.map(({ column, ofRows }) => `${sign}(${ofRows}) AS ${column}`).join(", ")}
    FROM ${usageRow} AS usage_row ${groupBy === "tag" ? tagsOfRow : ""} WHERE ${conditions.join(" AND ")} GROUP BY 1, 2`;
}

function ofTotals(
  { usageTotal, usageAccountTotal }: Tables,
  query: UsageQuery,
  { from, to, account, ...kind }: UsagePiece & TotalKind,
  values: Values,
): string {
  const only = query.filter?.[kind.dimension];
  const conditions = [
    `kind = ${values.add(kindName(kind))}::text`,
    `total.start >= ${values.time(from)} AND total.start < ${values.time(to)}`,
    ...(only === undefined ? [] : [equalSql(values, "name", only)]),
    ...(account === undefined ? [] : [equalSql(values, "account_id", account)]),
  ];
  const isOneTotal = kind.grain === query.bucket && (query.groupBy ?? only) !== undefined;
  return `SELECT ${isOneTotal ? "total.start" : bucketSql(query, "total.start", values)} AS start,
         ${query.groupBy === undefined ? "''" : "total.name"} AS name,
         ${sums.map(({ column, ofTotals }) => `${isOneTotal ? column : ofTotals} AS ${column}`).join(", ")}
    FROM ${account === undefined ? usageTotal : usageAccountTotal} AS total WHERE ${conditions.join(" AND ")} ${isOneTotal ? "" : "GROUP BY 1, 2"}`;
}

function bucketSql({ bucket, from }: UsageQuery, column: string, values: Values): string {
  return bucket === "all" ? values.time(from) : `date_trunc('${bucket}', ${column}, 'UTC')`;
}

function toSummaryRow(row: TextRow) {
  const group = row.text("name");
  return {
    start: row.time("start"),
    ...(group === "" ? {} : { group }),
    others: row.optionalFlag("is_other") === true,
    ...packedTotals(row.text("sums")),
  };
}
