import { kindName, topOf } from "@tollgate/core/internal";
import {
  dividePieces,
  mergeSummary,
  packedTotals,
  type TotalKind,
  type UsagePiece,
  type UsageQuery,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Condition } from "./filtered-query.ts";
import { searchable } from "./parameters.ts";
import type { Row } from "./row.ts";
import { pack, sums } from "./usage-columns.ts";
import { allOf, dimensionSql, filterConditions, tagsOfRow } from "./usage-conditions.ts";
import { readInSteps, type Source, stepSql } from "./usage-steps.ts";

/**
 * Reads the summary of a query in steps: first the cost of each group, and then the sums of those with the highest.
 * Usage that is recorded meanwhile may be in the sums or not.
 */
export async function readSummary(connection: Connection, query: UsageQuery): Promise<readonly UsageSummaryRow[]> {
  const top = topOf(query);
  // What is subtracted is read first, so that a row that is recorded meanwhile is not subtracted without having been added.
  const pieces = dividePieces(query, Date.now())
    .toSorted((a, b) => Number(b.subtracted ?? false) - Number(a.subtracted ?? false))
    .map((piece) => pieceOf(query, piece));
  const names = query.groupBy === undefined ? [""] : await highestGroups(connection, pieces, top);
  const rows: ReturnType<typeof toSummaryRow>[] = [];
  for (const piece of pieces) {
    const found = connection.query(sumsSql(query, piece), toSummaryRow);
    rows.push(...(await readInSteps(connection, piece, found, [JSON.stringify(names)])));
  }
  return mergeSummary(rows);
}

/** Where a piece of a summary is read, and how. */
interface Piece extends Source {
  /** The table, and what its rows are joined to. */
  readonly tables: string;
  /** The expressions of the group, and of a sum. */
  readonly name: string;
  sumOf(column: { readonly column: string; readonly ofRow: string }): string;
}

function pieceOf(query: UsageQuery, piece: UsagePiece): Piece {
  return piece.totals === undefined ? rowsPiece(query, piece) : totalsPiece(query, piece, piece.totals);
}

function rowsPiece({ groupBy, filter }: UsageQuery, { from, to, subtracted = false }: UsagePiece): Piece {
  const { indexed, others } = filterConditions(filter);
  const isByTag = groupBy === "tag";
  return {
    table: "tollgate_usage",
    tables: isByTag ? `tollgate_usage JOIN ${tagsOfRow.table}` : "tollgate_usage",
    order: ["at", "tollgate_usage.id"],
    indexed,
    others: isByTag ? [...others, tagsOfRow.condition] : others,
    from,
    to,
    name: groupBy === undefined ? "''" : dimensionSql[groupBy],
    sumOf: ({ ofRow }) => `${subtracted ? "-" : ""}sum(${ofRow})`,
  };
}

function totalsPiece({ groupBy, filter }: UsageQuery, { from, to, account }: UsagePiece, kind: TotalKind): Piece {
  const only = filter?.[kind.dimension];
  const ofKind: Condition = { sql: "kind = ?", values: [kindName(kind)] };
  const ofName: Condition[] = only === undefined ? [] : [{ sql: "name = ?", values: [searchable(only)] }];
  const ofAccount: Condition[] = account === undefined ? [] : [{ sql: "account = ?", values: [searchable(account)] }];
  const table = account === undefined ? "tollgate_usage_total" : "tollgate_usage_account_total";
  return {
    table,
    tables: table,
    order: ["start", "name"],
    indexed: allOf([...ofAccount, ofKind, ...ofName]),
    others: [],
    from,
    to,
    name: groupBy === undefined ? "''" : "name",
    sumOf: ({ column }) => `sum(${column})`,
  };
}

/** Returns the names of the groups with the highest cost. */
async function highestGroups(connection: Connection, pieces: readonly Piece[], top: number): Promise<string[]> {
  const groups = new Map<string, { readonly cost: bigint; readonly requests: bigint }>();
  for (const piece of pieces) {
    const [requests, cost] = ["requests", "cost"].map((name) => piece.sumOf(sumNamed(name)));
    const found = connection.query(
      `SELECT ${piece.name} AS name, ${requests} AS requests, ${cost} AS cost
       FROM ${piece.tables} WHERE ${stepSql(piece)} GROUP BY 1`,
      (row) => ({ name: row.text("name"), requests: row.integer("requests"), cost: row.integer("cost") }),
    );
    for (const group of await readInSteps(connection, piece, found)) {
      const known = groups.get(group.name);
      groups.set(group.name, {
        requests: group.requests + (known?.requests ?? 0n),
        cost: group.cost + (known?.cost ?? 0n),
      });
    }
  }
  return [...groups]
    .filter(([, { requests }]) => requests > 0n)
    .sort(
      ([oneName, one], [otherName, other]) =>
        compare(other.cost, one.cost) || compare(other.requests, one.requests) || compare(oneName, otherName),
    )
    .slice(0, top)
    .map(([name]) => name);
}

const compare = <Value extends bigint | string>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

function sumNamed(name: string): (typeof sums)[number] {
  const found = sums.find(({ column }) => column === name);
  if (found === undefined) throw new Error(`There is no sum with the name ${name}.`);
  return found;
}

/** The statement of one step, with the JSON array of the named groups as its first parameter. The others have no name. */
function sumsSql({ bucket, from }: UsageQuery, piece: Piece): string {
  const start = bucketSql(bucket, from, piece.order[0]);
  return `SELECT ${start} AS start, iif(${piece.name} IN (SELECT value FROM json_each(?)), ${piece.name}, NULL) AS name,
      ${pack(sums.map((sum) => piece.sumOf(sum)))} AS sums
    FROM ${piece.tables} WHERE ${stepSql(piece)} GROUP BY 1, 2`;
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
  const group = row.optionalText("name");
  return {
    start: row.time("start"),
    ...(group === undefined || group === "" ? {} : { group }),
    others: group === undefined,
    ...packedTotals(row.text("sums")),
  };
}
