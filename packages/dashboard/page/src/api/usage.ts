import type { Amount, Tokens } from "./common.ts";

/** The dimensions by which usage can be grouped. */
export type Dimension = "model" | "account" | "key" | "target" | "dialect" | "status";

/** The length of a bucket. Buckets begin at UTC borders. */
export type Bucket = "hour" | "day" | "month" | "all";

/** The sums of one group in one bucket. Latencies are in milliseconds, and null without requests. */
export interface UsageRow {
  readonly start: string;
  readonly group: string | null;
  /** True for the sum of the groups beyond `top`. */
  readonly others: boolean;
  readonly requests: number;
  /** Requests with a status of 500 or more, and broken streams. */
  readonly failed: number;
  /** Requests with a status of 400 to 499. */
  readonly refused: number;
  readonly tokens: Tokens;
  readonly cost: Amount;
  readonly upstream_cost: Amount | null;
  readonly margin: Amount | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly first_content_p50_ms: number | null;
  readonly first_content_p95_ms: number | null;
}

/** The answer of GET usage. */
export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly bucket: Bucket;
  readonly group_by: Dimension | null;
  readonly data: readonly UsageRow[];
}
