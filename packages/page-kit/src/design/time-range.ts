import type { Bucket } from "../api/answers.ts";
import { texts } from "../texts.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A period in milliseconds since the epoch; `from` is included, `to` is not. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The days of the presets of a period, which end at the end of the present hour. */
const presets: Readonly<Record<string, number>> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90, "1y": 365 };

/** Returns the choices of a period. */
export const rangeChoices = () => Object.entries(texts.ranges);

/**
 * Reads the period of an address: `from` and `to`, or a preset. A preset of days begins at midnight UTC, as buckets do.
 * Undefined if the address has none and there is no default.
 */
export function readRange(
  query: Readonly<Record<string, string>>,
  now: number,
  fallback?: string,
): TimeRange | undefined {
  const from = Date.parse(query["from"] ?? "");
  const to = Date.parse(query["to"] ?? "");
  if (from < to) return { from, to };
  const days = presets[query["range"] ?? fallback ?? ""];
  if (days === undefined) return undefined;
  const end = Math.ceil(now / hourMs) * hourMs;
  if (days === 1) return { from: end - dayMs, to: end };
  return { from: Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs, to: end };
}

/** Returns the period of the same length that ends where this one begins. */
export const periodBefore = ({ from, to }: TimeRange): TimeRange => ({ from: from - (to - from), to: from });

/** Returns the bucket in which a period is read well. */
export function bucketOf({ from, to }: TimeRange): Bucket {
  const length = to - from;
  if (length <= 3 * dayMs) return "hour";
  return length <= 120 * dayMs ? "day" : "month";
}

/** Returns the start of the bucket after the one that contains a time. */
export function nextBucket(time: number, bucket: Bucket): number {
  if (bucket === "hour") return Math.floor(time / hourMs) * hourMs + hourMs;
  if (bucket === "day") return Math.floor(time / dayMs) * dayMs + dayMs;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Returns the starts of the buckets of a period. The first may begin before the period. */
export function bucketStarts({ from, to }: TimeRange, bucket: Bucket): readonly number[] {
  const starts: number[] = [];
  for (let start = bucketStart(from, bucket); start < to; start = nextBucket(start, bucket)) starts.push(start);
  return starts;
}

/** Returns the start of the bucket that contains a time. */
export function bucketStart(time: number, bucket: Bucket): number {
  if (bucket === "hour") return Math.floor(time / hourMs) * hourMs;
  if (bucket === "day") return Math.floor(time / dayMs) * dayMs;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Returns a period as parameters of the API. */
export const rangeQuery = ({ from, to }: TimeRange) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

const hourText = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const dayText = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const monthText = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" });

/** Names a bucket. Hours are in the viewer's zone; days and months are those of UTC, as the buckets are. */
export function bucketText(start: number, bucket: Bucket): string {
  return (bucket === "hour" ? hourText : bucket === "day" ? dayText : monthText).format(start);
}
