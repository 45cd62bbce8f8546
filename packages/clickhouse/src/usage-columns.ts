import { latencyBounds, type UsageTotals } from "@tollgate/core/store";

const histogram = (name: string) => Array.from({ length: latencyBounds.length + 1 }, (_, index) => `${name}_${index}`);

/** The columns of sums, in the order in which `packedTotals` reads them. `failed` counts refused requests too. */
export const sums: readonly string[] = [
  ...["requests", "failed", "refused"],
  ...["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"],
  ...["cost", "upstream_cost", "cost_with_upstream"],
  ...histogram("duration"),
  ...histogram("first_content"),
];

/** Returns sums by column, without those that are zero, which is their default. Amounts are text, which JSON does not round. */
export function sumColumns({ tokens, ...totals }: UsageTotals): Readonly<Record<string, number | string>> {
  const columns: Readonly<Record<string, number | bigint>> = {
    requests: totals.requests,
    failed: totals.failed + totals.refused,
    refused: totals.refused,
    input: tokens.input,
    cached_input: tokens.cachedInput,
    cache_write_5m: tokens.cacheWrite5m,
    cache_write_1h: tokens.cacheWrite1h,
    output: tokens.output,
    reasoning: tokens.reasoning,
    cost: totals.cost,
    upstream_cost: totals.upstreamCost,
    cost_with_upstream: totals.costWithUpstream,
    ...named("duration", totals.durations),
    ...named("first_content", totals.firstContents),
  };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, value]) =>
      Number(value) === 0 ? [] : [[column, typeof value === "bigint" ? String(value) : value]],
    ),
  );
}

const named = (name: string, counts: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(counts.map((count, index) => [`${name}_${index}`, count]));
