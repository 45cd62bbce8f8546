import { latencyBounds, type UsageTotals } from "@tollgate/core/store";

const histogram = (prefix: string): readonly string[] =>
  Array.from({ length: latencyBounds.length + 1 }, (_, index) => `${prefix}${index}`);

const durations = histogram("duration_");
const firstContents = histogram("first_content_");

/**
 * Each sum of usage: its column in tollgate_usage_total, and the expression that counts a row of tollgate_usage. `failed`
 * counts refused requests too, as in older versions.
 */
export const sums: readonly { readonly column: string; readonly ofRow: string }[] = [
  { column: "requests", ofRow: "1" },
  { column: "failed", ofRow: "failed" },
  { column: "refused", ofRow: "status BETWEEN 400 AND 499" },
  ...["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning", "cost"].map((column) => ({
    column,
    ofRow: column,
  })),
  { column: "upstream_cost", ofRow: "coalesce(upstream_cost, 0)" },
  { column: "cost_with_upstream", ofRow: "iif(upstream_cost IS NULL, 0, cost)" },
  ...durations.map((column, index) => ({ column, ofRow: `duration_bucket = ${index}` })),
  ...firstContents.map((column, index) => ({ column, ofRow: `first_content_bucket IS ${index}` })),
];

/** The sums without the histograms of latencies. */
export const plainSums: typeof sums = sums.slice(0, -durations.length - firstContents.length);

/** Returns the values of the sums in the order of {@link plainSums}. */
export const plainValues = ({ tokens, ...sum }: UsageTotals): readonly (number | bigint)[] => [
  sum.requests,
  sum.failed + sum.refused,
  sum.refused,
  tokens.input,
  tokens.cachedInput,
  tokens.cacheWrite5m,
  tokens.cacheWrite1h,
  tokens.output,
  tokens.reasoning,
  sum.cost,
  sum.upstreamCost,
  sum.costWithUpstream,
];

/** Returns the values of sums in the order of {@link sums}. */
export const sumValues = (sum: UsageTotals): readonly (number | bigint)[] => [
  ...plainValues(sum),
  ...sum.durations,
  ...sum.firstContents,
];

/** Returns the columns of the histograms that have a place: of a duration, and of a time to first content if it is not negative. */
export const latencyColumns = (duration: number, firstContent: number): readonly (string | undefined)[] => [
  durations[duration],
  firstContents[firstContent],
];

/** The SQL that puts sums, in the order of {@link sums}, into one text, as `packedTotals` reads it. */
export const pack = (values: readonly string[]): string => values.join(" || ',' || ");
