import { latencyBounds, type UsageTotals } from "@tollgate/core/store";
import type { Row } from "./row.ts";

const histogram = (prefix: string): readonly string[] =>
  Array.from({ length: latencyBounds.length + 1 }, (_, index) => `${prefix}${index}`);

const durations = histogram("duration_");
const firstContents = histogram("first_content_");

/** Each sum of usage: its column in tollgate_usage_total, and the expression that counts a row of tollgate_usage. */
export const sums: readonly { readonly column: string; readonly ofRow: string }[] = [
  { column: "requests", ofRow: "1" },
  ...["failed", "input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning", "cost"].map(
    (column) => ({ column, ofRow: column }),
  ),
  { column: "upstream_cost", ofRow: "coalesce(upstream_cost, 0)" },
  { column: "cost_with_upstream", ofRow: "iif(upstream_cost IS NULL, 0, cost)" },
  ...durations.map((column, index) => ({ column, ofRow: `duration_bucket = ${index}` })),
  ...firstContents.map((column, index) => ({ column, ofRow: `first_content_bucket IS ${index}` })),
];

/** Returns the values of sums in the order of {@link sums}. */
export function sumValues({ tokens, ...sum }: UsageTotals): readonly (number | bigint)[] {
  return [
    sum.requests,
    sum.failed,
    tokens.input,
    tokens.cachedInput,
    tokens.cacheWrite5m,
    tokens.cacheWrite1h,
    tokens.output,
    tokens.reasoning,
    sum.cost,
    sum.upstreamCost,
    sum.costWithUpstream,
    ...sum.durations,
    ...sum.firstContents,
  ];
}

/** Reads sums from the columns of {@link sums}. */
export function toTotals(row: Row): UsageTotals {
  const count = (column: string) => Number(row.integer(column));
  return {
    requests: count("requests"),
    failed: count("failed"),
    tokens: {
      input: count("input"),
      cachedInput: count("cached_input"),
      cacheWrite5m: count("cache_write_5m"),
      cacheWrite1h: count("cache_write_1h"),
      output: count("output"),
      reasoning: count("reasoning"),
    },
    cost: row.integer("cost"),
    upstreamCost: row.integer("upstream_cost"),
    costWithUpstream: row.integer("cost_with_upstream"),
    durations: durations.map(count),
    firstContents: firstContents.map(count),
  };
}
