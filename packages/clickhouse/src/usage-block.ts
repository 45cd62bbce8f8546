import { kindName, usageColumns } from "@tollgate/core/internal";
import {
  accountTotalKinds,
  addRow,
  attemptCounts,
  groupsOf,
  noUsage,
  startOfBucket,
  type TotalKind,
  toStorableText,
  totalKinds,
  type UsageRow,
  type UsageSum,
} from "@tollgate/core/store";
import { timeText } from "./sql.ts";
import { sumColumns } from "./usage-columns.ts";

/** What identifies totals in the table. */
interface TotalName {
  readonly kind: string;
  readonly scope: string;
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  readonly name: string;
}

/** The totals that are kept for each account. A row may change its tags when it is forgotten, so those by tag are read from rows. */
export const keptAccountKinds: readonly TotalKind[] = accountTotalKinds.filter(({ dimension }) => dimension !== "tag");

/** The kind of totals in the table, such as "model day", and "model day of account" for those of one account. */
export const storedKind = (kind: TotalKind, account: string | undefined): string =>
  account === undefined ? kindName(kind) : `${kindName(kind)} of account`;

/** Returns what one insert adds: the rows of a month, their totals, its batch, and one to the number of the month's blocks. */
export function blockOf(rows: readonly UsageRow[], month: Date, batch: string): readonly object[] {
  return [
    { kind: "block", start: timeText(month), requests: 1 },
    { kind: "batch", start: timeText(month), name: batch, requests: 1 },
    ...rows.map(rowColumns),
    ...totalsOf(rows).map(({ kind, scope, start, name, sum }) =>
      storable({ kind, scope, start: timeText(new Date(start)), name, ...sumColumns(sum) }),
    ),
  ];
}

/** A row is a total of itself, so that a summary adds up rows and totals alike. */
function rowColumns(row: UsageRow): object {
  const sum = noUsage();
  addRow(sum, row);
  return storable({
    ...ownColumns(row),
    kind: "row",
    start: timeText(row.at),
    name: row.id,
    account_id: row.account,
    estimated: Number(row.estimated),
    has_upstream_cost: Number(row.upstreamCost !== undefined),
    ...sumColumns(sum),
  });
}

/** The columns of a row that are no sums, and have the name that they have elsewhere. */
const ownColumns = (row: UsageRow): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(usageColumns(row)).filter(([column]) => !notStored.has(column)));

const notStored = new Set(["id", "at", "failed", "upstream_cost", "duration_bucket", "first_content_bucket"]);

function totalsOf(rows: readonly UsageRow[]): readonly (TotalName & { readonly sum: UsageSum })[] {
  const totals = new Map<string, TotalName & { readonly sum: UsageSum }>();
  const sumOf = (total: TotalName): UsageSum => {
    const id = JSON.stringify([total.kind, total.scope, total.start, total.name]);
    const known = totals.get(id) ?? { ...total, sum: noUsage() };
    totals.set(id, known);
    return known.sum;
  };
  for (const row of rows) {
    for (const kind of totalKinds) for (const each of totalNames(row, kind, undefined)) addRow(sumOf(each), row);
    for (const kind of keptAccountKinds)
      for (const each of totalNames(row, kind, row.account)) addRow(sumOf(each), row);
    for (const each of attemptNames(row)) sumOf(each).requests += each.attempts;
  }
  return [...totals.values()];
}

const totalNames = (row: UsageRow, kind: TotalKind, account: string | undefined): readonly TotalName[] =>
  groupsOf(row, kind.dimension).map((name) => ({
    kind: storedKind(kind, account),
    scope: account ?? "",
    start: startOfBucket(kind.grain, row.at.getTime()),
    name,
  }));

const attemptNames = (row: UsageRow): readonly (TotalName & { readonly attempts: number })[] =>
  attemptCounts(row).map(({ provider, upstreamModel, failure, attempts }) => ({
    kind: "attempt",
    scope: provider,
    start: startOfBucket("hour", row.at.getTime()),
    name: attemptName(failure, upstreamModel),
    attempts,
  }));

/** The class of a failure has no space. */
const attemptName = (failure: string, upstreamModel: string): string => `${failure} ${upstreamModel}`;

/** Reads the class of a failure and the upstream's model from the name of attempts. */
export function readAttemptName(name: string): { readonly failure: string; readonly upstreamModel: string } {
  const end = name.indexOf(" ");
  return { failure: name.slice(0, end), upstreamModel: name.slice(end + 1) };
}

/** Replaces text that JSON cannot carry to ClickHouse, since one such row must not hold up all others. Leaves out what is absent. */
function storable(columns: Readonly<Record<string, unknown>>): object {
  const each = (value: unknown): unknown =>
    typeof value === "string" ? toStorableText(value) : typeof value === "bigint" ? String(value) : value;
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, value]) =>
      value === undefined ? [] : [[column, Array.isArray(value) ? value.map(each) : each(value)]],
    ),
  );
}
