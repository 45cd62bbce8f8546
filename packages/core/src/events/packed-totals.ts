import { latencyBounds } from "../ports/usage-store.ts";
import type { UsageSum } from "./usage-totals.ts";

const buckets = latencyBounds.length + 1;

/**
 * Reads sums from one text, since a database returns one text faster than its 54 numbers. The numbers are separated by
 * commas: requests, those that failed or were refused, refused ones, tokens (input, cached input, cache writes of 5 minutes and of an hour, output, reasoning),
 * cost, upstream cost, cost with upstream, and the counts of durations and of times to first content.
 */
export function packedTotals(packed: string): UsageSum {
  const values = packed.split(",");
  const number = (index: number) => Number(values[index]);
  const numbers = (from: number) => Array.from({ length: buckets }, (_, index) => number(from + index));
  const amount = (index: number) => BigInt(values[index] ?? "");
  return {
    requests: number(0),
    failed: number(1) - number(2),
    refused: number(2),
    tokens: {
      input: number(3),
      cachedInput: number(4),
      cacheWrite5m: number(5),
      cacheWrite1h: number(6),
      output: number(7),
      reasoning: number(8),
    },
    cost: amount(9),
    upstreamCost: amount(10),
    costWithUpstream: amount(11),
    durations: numbers(12),
    firstContents: numbers(12 + buckets),
  };
}
