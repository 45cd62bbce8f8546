import { latencyBounds, type UsageTotals } from "@tollgate/core/store";
import type { Row } from "./row.ts";

const histogram = (prefix: string): readonly string[] =>
  Array.from({ length: latencyBounds.length + 1 }, (_, index) => `${prefix}${index}`);

const durations = histogram("duration_");
const firstContents = histogram("first_content_");
const tokenColumns = ["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"];

/** Each sum of usage: its column in the table of totals, and the aggregate that computes it from rows. */
export const sums: readonly { readonly column: string; readonly ofRows: string }[] = [
  { column: "requests", ofRows: "count(*)" },
  { column: "failed", ofRows: "count(*) FILTER (WHERE failed)" },
  ...[...tokenColumns, "cost"].map((column) => ({ column, ofRows: `sum(${column})` })),
  { column: "upstream_cost", ofRows: "coalesce(sum(upstream_cost), 0)" },
  { column: "cost_with_upstream", ofRows: "coalesce(sum(cost) FILTER (WHERE upstream_cost IS NOT NULL), 0)" },
  ...durations.map((column, index) => ({ column, ofRows: `count(*) FILTER (WHERE duration_bucket = ${index})` })),
  ...firstContents.map((column, index) => ({
    column,
    ofRows: `count(*) FILTER (WHERE first_content_bucket = ${index})`,
  })),
];

/** Reads sums from the columns of {@link sums}. */
export function toTotals(row: Row): UsageTotals {
  const count = (column: string) => Number(row.text(column));
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
