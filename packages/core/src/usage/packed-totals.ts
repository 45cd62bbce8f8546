import { latencyBounds } from "../ports/usage-store.ts";
import type { UsageSum } from "./totals.ts";

const buckets = latencyBounds.length + 1;

/**
 * Reads sums from one text, since a database returns one text faster than its 53 numbers. The numbers are separated by
 * commas: requests, failed ones, tokens (input, cached input, cache writes of 5 minutes and of an hour, output, reasoning),
 * cost, upstream cost, cost with upstream, and the counts of durations and of times to first content.
 */
export function packedTotals(packed: string): UsageSum {
  const values = packed.split(",");
  const number = (index: number) => Number(values[index]);
  const numbers = (from: number) => Array.from({ length: buckets }, (_, index) => number(from + index));
  const amount = (index: number) => BigInt(values[index] ?? "");
  return {
    requests: number(0),
    failed: number(1),
    tokens: {
      input: number(2),
      cachedInput: number(3),
      cacheWrite5m: number(4),
      cacheWrite1h: number(5),
      output: number(6),
      reasoning: number(7),
    },
    cost: amount(8),
    upstreamCost: amount(9),
    costWithUpstream: amount(10),
    durations: numbers(11),
    firstContents: numbers(11 + buckets),
  };
}
