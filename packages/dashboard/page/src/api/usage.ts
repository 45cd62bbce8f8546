import type { ItemOf, reportUsage, usageBuckets, usageDimensions } from "@tollgate/management/operations";
import type { Shown } from "./common.ts";

/** The dimensions by which usage can be grouped. */
export type Dimension = (typeof usageDimensions)[number];

/** The length of a bucket. Buckets begin at UTC borders. */
export type Bucket = (typeof usageBuckets)[number];

/** The sums of one group in one bucket. Latencies are in milliseconds, and null without requests. */
export type UsageRow = Shown<ItemOf<typeof reportUsage>>;

/** The answer of GET usage. */
export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly bucket: Bucket;
  readonly group_by: Dimension | null;
  readonly data: readonly UsageRow[];
}
