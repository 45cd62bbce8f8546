import type { UsageQuery } from "../ports/usage-store.ts";
import { type Grain, nextBucketStart, startOfBucket } from "./bucket.ts";

/** A dimension by which totals are kept. */
export type TotalDimension = "model" | "account" | "key";

/** The dimension of totals, and the length of their buckets. */
export interface TotalKind {
  readonly dimension: TotalDimension;
  readonly grain: Grain;
}

/** The totals that a store keeps; for each dimension, the longest buckets come first. */
export const totalKinds: readonly TotalKind[] = [
  { dimension: "model", grain: "month" },
  { dimension: "model", grain: "day" },
  { dimension: "model", grain: "hour" },
  { dimension: "account", grain: "month" },
  { dimension: "account", grain: "day" },
  { dimension: "key", grain: "month" },
  { dimension: "key", grain: "day" },
];

/** A part of the time range of a summary, and where its sums are read: from totals or from rows. */
export interface UsagePiece {
  /** Included. */
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  /** Absent: from rows. */
  readonly totals?: TotalKind;
}

/**
 * Divides the time range of a query, so that as much of it as possible is read from totals. A query that uses more than
 * one dimension, or one without totals, is read from rows.
 */
export function dividePieces(query: UsageQuery): readonly UsagePiece[] {
  const dimension = totalDimensionOf(query);
  const kinds = totalKinds.filter((kind) => kind.dimension === dimension && fits(kind.grain, query.bucket));
  return divide(query.from.getTime(), query.to.getTime(), kinds);
}

function totalDimensionOf({ groupBy, filter = {} }: UsageQuery): string | undefined {
  const used = new Set(Object.entries(filter).flatMap(([name, value]) => ((value ?? false) === false ? [] : [name])));
  if (groupBy !== undefined) used.add(groupBy);
  const [only = "model", ...others] = used;
  return others.length === 0 ? only : undefined;
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
