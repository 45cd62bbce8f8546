import { type TextRow, topOf } from "@tollgate/core/internal";
import {
  dividePieces,
  mergeSummary,
  packedTotals,
  startOfBucket,
  type TotalKind,
  type UsagePiece,
  type UsageQuery,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { equalSql, timeSql } from "./sql.ts";
import { storedKind } from "./usage-block.ts";
import { sums } from "./usage-columns.ts";
import { dimensionSql, filterSql, isRow } from "./usage-conditions.ts";

/** Reads a summary with one statement, from totals where there are some, and from rows. */
export async function readSummary(database: Database, query: UsageQuery): Promise<readonly UsageSummaryRow[]> {
  const top = topOf(query);
  const pieces = dividePieces(query, Date.now());
  if (pieces.length === 0) return [];
  const rows = await database.rows(summarySql(database.usage, query, pieces, top));
  return mergeSummary(rows.map((row) => toSummaryRow(row, query)));
}

function summarySql(usage: string, query: UsageQuery, pieces: readonly UsagePiece[], top: number): string {
  const { groupBy } = query;
  const selected = pieces.map((piece) => `(${pieceSql(query, piece)})`).join(" OR ");
  // Only rows that a total contains and the query does not are at its end or later. They are subtracted.
  const sign = pieces.some(({ subtracted }) => subtracted === true)
    ? `if(start >= ${timeSql(query.to)}, -1, 1) * `
    : "";
  const group = groupBy === undefined ? "''" : groupSql(groupBy, pieces);
  const from = (columns: readonly string[]) =>
    `(SELECT ${group} AS group_name, ${bucketSql(query)} AS bucket_number, ${columns.map((column) => `${sign}${column} AS of_${column}`).join(", ")}
        FROM ${usage} WHERE ${selected})`;
  // Reads three columns of the many.
  const named = `SELECT group_name FROM ${from(["cost", "requests"])} GROUP BY group_name HAVING sum(of_requests) > 0
    ORDER BY sum(of_cost) DESC, sum(of_requests) DESC, group_name LIMIT ${top}`;
  const shown = groupBy === undefined ? "''" : `if(group_name IN (${named}), group_name, NULL)`;
  return `SELECT toString(bucket_number) AS bucket, ${shown} AS shown_name,
       arrayStringConcat([${sums.map((column) => `toString(sum(of_${column}))`).join(", ")}], ',') AS sums
  FROM ${from(sums)} GROUP BY bucket_number, shown_name`;
}

function groupSql(groupBy: NonNullable<UsageQuery["groupBy"]>, pieces: readonly UsagePiece[]): string {
  const ofRow = dimensionSql[groupBy];
  return pieces.every(({ totals }) => totals === undefined) || groupBy === "tag"
    ? ofRow
    : `if(kind = 'row', ${ofRow}, name)`;
}

function pieceSql(query: UsageQuery, piece: UsagePiece): string {
  const period = `start >= ${timeSql(piece.from)} AND start < ${timeSql(piece.to)}`;
  const { totals, account } = piece;
  // Rows have their tags, and no totals do.
  if (totals === undefined || totals.dimension === "tag")
    return [isRow, period, ...filterSql(query.filter)].join(" AND ");
  return [
    `kind = '${storedKind(totals, account)}'`,
    equalSql("scope", account ?? ""),
    period,
    ...nameSql(query, totals),
  ].join(" AND ");
}

function nameSql({ filter }: UsageQuery, { dimension }: TotalKind): readonly string[] {
  const only = filter?.[dimension];
  return only === undefined ? [] : [equalSql("name", only)];
}

/** Numbers, because the functions of ClickHouse for the start of a period end in 2149. */
const bucketSql = ({ bucket }: UsageQuery): string =>
  bucket === "all"
    ? "0"
    : bucket === "month"
      ? "toYYYYMM(start)"
      : `intDiv(toUnixTimestamp64Milli(start), ${bucketMs[bucket]})`;

const bucketMs = { hour: 3_600_000, day: 86_400_000 };

function startOf({ bucket, from }: UsageQuery, number: number): Date {
  if (bucket === "all") return from;
  if (bucket !== "month") return new Date(number * bucketMs[bucket]);
  return new Date(startOfBucket("month", Date.UTC(Math.floor(number / 100), (number % 100) - 1)));
}

function toSummaryRow(row: TextRow, query: UsageQuery) {
  const group = row.optionalText("shown_name");
  return {
    start: startOf(query, Number(row.text("bucket"))),
    ...(group === undefined || group === "" ? {} : { group }),
    others: group === undefined,
    ...packedTotals(row.text("sums")),
  };
}
