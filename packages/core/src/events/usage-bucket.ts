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
