import { latencyBounds } from "@tollgate/core/store";

const histogram = (name: string) =>
  Array.from({ length: latencyBounds.length + 1 }, (_, index) => ({
    column: `${name}_${index}`,
    ofRows: `count(*) FILTER (WHERE ${name}_bucket = ${index})`,
  }));

const tokenColumns = ["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"];

/** The sums of money have no bound, and those of counts are converted to bigint, which is faster. */
const amounts = [
  { column: "cost", ofRows: "sum(cost)" },
  { column: "upstream_cost", ofRows: "coalesce(sum(upstream_cost), 0)" },
  { column: "cost_with_upstream", ofRows: "coalesce(sum(cost) FILTER (WHERE upstream_cost IS NOT NULL), 0)" },
];

const counts = [
  { column: "requests", ofRows: "count(*)" },
  // Counts refused requests too, as in older versions.
  { column: "failed", ofRows: "count(*) FILTER (WHERE failed)" },
  { column: "refused", ofRows: "count(*) FILTER (WHERE status BETWEEN 400 AND 499)" },
  ...tokenColumns.map((column) => ({ column, ofRows: `sum(${column})::bigint` })),
];

/** Each sum of usage: its column in the table of totals, and the aggregates that compute it from rows and from totals. */
export const sums: readonly { readonly column: string; readonly ofRows: string; readonly ofTotals: string }[] = [
  ...counts.map((sum) => ({ ...sum, ofTotals: `sum(${sum.column})::bigint` })),
  ...amounts.map((sum) => ({ ...sum, ofTotals: `sum(${sum.column})` })),
  ...[...histogram("duration"), ...histogram("first_content")].map((sum) => ({
    ...sum,
    ofTotals: `sum(${sum.column})::bigint`,
  })),
];

/** The SQL that puts sums, in the order of {@link sums}, into one text, as `packedTotals` reads it. */
export const pack = (values: readonly string[]): string => `concat_ws(',', ${values.join(", ")})`;
