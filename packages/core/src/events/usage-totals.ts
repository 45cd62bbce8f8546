import type { TokenCounts } from "../ports/receipt.ts";
import { latencyBounds, type UsageRow, type UsageTotals } from "../ports/usage-store.ts";

/** Sums of usage that rows and other sums are added to. */
export interface UsageSum extends UsageTotals {
  requests: number;
  failed: number;
  refused: number;
  tokens: { -readonly [Class in keyof TokenCounts]: number };
  cost: bigint;
  upstreamCost: bigint;
  costWithUpstream: bigint;
  durations: number[];
  firstContents: number[];
}

/** Returns the sums of no requests. */
export function noUsage(): UsageSum {
  return {
    requests: 0,
    failed: 0,
    refused: 0,
    tokens: { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 },
    cost: 0n,
    upstreamCost: 0n,
    costWithUpstream: 0n,
    durations: new Array<number>(latencyBounds.length + 1).fill(0),
    firstContents: new Array<number>(latencyBounds.length + 1).fill(0),
  };
}

/** True for a request with a status of 500 or more, and for a stream that its upstream broke off. */
export const hasFailed = ({ status, ending }: Pick<UsageRow, "status" | "ending">): boolean =>
  status >= 500 || (status < 400 && ending === "upstream_failed");

/** True for a request with a status of 400 to 499. */
export const wasRefused = ({ status }: Pick<UsageRow, "status">): boolean => status >= 400 && status < 500;

/** Returns the index of a latency, in milliseconds, in a histogram of {@link latencyBounds}. */
export function latencyBucket(milliseconds: number): number {
  const index = latencyBounds.findIndex((bound) => milliseconds <= bound);
  return index < 0 ? latencyBounds.length : index;
}

/** Adds a row to the sums. */
export function addRow(sum: UsageSum, row: UsageRow): void {
  sum.requests += 1;
  if (hasFailed(row)) sum.failed += 1;
  if (wasRefused(row)) sum.refused += 1;
  addTokens(sum.tokens, row.tokens);
  sum.cost += row.cost;
  if (row.upstreamCost !== undefined) {
    sum.upstreamCost += row.upstreamCost;
    sum.costWithUpstream += row.cost;
  }
  count(sum.durations, latencyBucket(row.durationMs), 1);
  if (row.firstContentMs !== undefined) count(sum.firstContents, latencyBucket(row.firstContentMs), 1);
}

/** Adds other sums to the sums. */
export function addTotals(sum: UsageSum, other: UsageTotals): void {
  sum.requests += other.requests;
  sum.failed += other.failed;
  sum.refused += other.refused;
  addTokens(sum.tokens, other.tokens);
  sum.cost += other.cost;
  sum.upstreamCost += other.upstreamCost;
  sum.costWithUpstream += other.costWithUpstream;
  for (const [index, requests] of other.durations.entries()) count(sum.durations, index, requests);
  for (const [index, requests] of other.firstContents.entries()) count(sum.firstContents, index, requests);
}

function addTokens(sum: UsageSum["tokens"], tokens: TokenCounts): void {
  sum.input += tokens.input;
  sum.cachedInput += tokens.cachedInput;
  sum.cacheWrite5m += tokens.cacheWrite5m;
  sum.cacheWrite1h += tokens.cacheWrite1h;
  sum.output += tokens.output;
  sum.reasoning += tokens.reasoning;
}

function count(histogram: number[], index: number, requests: number): void {
  histogram[index] = (histogram[index] ?? 0) + requests;
}
