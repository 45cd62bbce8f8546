import type { UsageQuery } from "../ports/usage-store.ts";

/** The dimension of totals, and the length of their buckets. */
export interface TotalKind {
  readonly dimension: "model" | "target" | "account" | "key" | "dialect" | "tag";
  readonly grain: Grain;
}

/** The totals that a store keeps; for each dimension, the longest buckets come first. */
export const totalKinds: readonly TotalKind[] = (["model", "target", "account", "key"] as const).flatMap((dimension) =>
  (["month", "day", "hour"] as const).map((grain) => ({ dimension, grain })),
);

/** The totals that a store keeps for each account. */
export const accountTotalKinds: readonly TotalKind[] = (["model", "key", "dialect", "tag"] as const).map(
  (dimension) => ({ dimension, grain: "day" }),
);

/** The name of a kind of totals in a store, such as "model day". */
export const kindName = ({ dimension, grain }: TotalKind): string => `${dimension} ${grain}`;

/** The totals that are removed with the rows of their hours, since there may be as many of them as rows. */
export const prunedKinds: readonly TotalKind[] = totalKinds.filter(
  ({ dimension, grain }) => grain === "hour" && (dimension === "account" || dimension === "key"),
);

/** A part of the time range of a summary, and where its sums are read: from totals or from rows. */
export interface UsagePiece {
  /** Included. */
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  /** Absent: from rows. */
  readonly totals?: TotalKind;
  /** The account whose totals they are. Absent: those of all accounts together. */
  readonly account?: string;
  /** True for rows that a total of another piece contains, and the query does not. Their sums are subtracted. */
  readonly subtracted?: boolean;
}

/** The end of a query is near the present when few rows can have been recorded since. */
const nearMs = 60_000;

/**
 * Divides the time range of a query, so that as much of it as possible is read from totals. A query that uses more than
 * one dimension, besides the account of its filter, or one without totals, is read from rows.
 *
 * With the present time `now`, in milliseconds since the Unix epoch, a range that ends near it or later is read up to the
 * end of the last bucket, and the few rows after the range are subtracted. The many rows of a busy day are then not read.
 */
export function dividePieces(query: UsageQuery, now?: number): readonly UsagePiece[] {
  const { kinds, ...account } = totalsFor(query);
  const [from, to] = [query.from.getTime(), query.to.getTime()];
  const end = now === undefined || to < now - nearMs ? to : endOfTotals(from, to, kinds);
  const pieces = divide(from, end, kinds).map((piece) => (piece.totals ? { ...piece, ...account } : piece));
  return end === to ? pieces : [...pieces, { from: new Date(to), to: new Date(end), subtracted: true }];
}

/** Returns the end of the longest bucket of totals that contains `to` and lies after `from`; `to` itself without one. */
function endOfTotals(from: number, to: number, kinds: readonly TotalKind[]): number {
  const kind = from < to ? kinds.find(({ grain }) => startOfBucket(grain, to) >= from) : undefined;
  return kind === undefined ? to : nextBucketStart(kind.grain, to);
}

/** Returns the totals that have the dimension of a query; none if it uses several, besides the account of its filter. */
function totalsFor({ groupBy, filter = {}, bucket }: UsageQuery) {
  const used = new Set(Object.entries(filter).flatMap(([name, value]) => ((value ?? false) === false ? [] : [name])));
  if (groupBy !== undefined) used.add(groupBy);
  const kindsOf = (all: readonly TotalKind[], dimension: string | undefined) =>
    all.filter((kind) => kind.dimension === dimension && fits(kind.grain, bucket));
  if (used.size <= 1) return { kinds: kindsOf(totalKinds, [...used][0] ?? "model") };
  const { account, tag } = filter;
  if (account === undefined || groupBy === "account" || used.size > 2) return { kinds: [] };
  // Rows with this tag count in their other tags too.
  if (groupBy === "tag" && tag !== undefined) return { kinds: [] };
  used.delete("account");
  return { kinds: kindsOf(accountTotalKinds, [...used][0]), account };
}

const order: readonly UsageQuery["bucket"][] = ["hour", "day", "month", "all"];

const fits = (grain: Grain, bucket: UsageQuery["bucket"]): boolean => order.indexOf(grain) <= order.indexOf(bucket);

function divide(from: number, to: number, [totals, ...shorter]: readonly TotalKind[]): readonly UsagePiece[] {
  if (from >= to) return [];
  if (totals === undefined) return [{ from: new Date(from), to: new Date(to) }];
  const [start, end] = [nextBucketStart(totals.grain, from), startOfBucket(totals.grain, to)];
  if (start >= end) return divide(from, to, shorter);
  return [
    ...divide(from, start, shorter),
    { from: new Date(start), to: new Date(end), totals },
    ...divide(end, to, shorter),
  ];
}

/** The length of a bucket. Buckets begin at UTC borders. */
export type Grain = "hour" | "day" | "month";

const lengthMs = { hour: 3_600_000, day: 86_400_000 };

/** Returns the start of the bucket that contains a time. Both are in milliseconds since the Unix epoch. */
export function startOfBucket(grain: Grain, at: number): number {
  if (grain !== "month") return Math.floor(at / lengthMs[grain]) * lengthMs[grain];
  const date = new Date(at);
  return monthStart(date.getUTCFullYear(), date.getUTCMonth());
}

/** Returns the time itself if a bucket starts there, and otherwise the start of the next bucket. */
export function nextBucketStart(grain: Grain, at: number): number {
  const start = startOfBucket(grain, at);
  if (start === at) return at;
  if (grain !== "month") return start + lengthMs[grain];
  const date = new Date(start);
  return monthStart(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** `Date.UTC` moves the years 0 to 99 to the twentieth century. */
function monthStart(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}
