import type { TokenCounts } from "../ports/receipt.ts";
import { latencyBounds, type TargetAttempts, type UsageRow, type UsageTotals } from "../ports/usage-store.ts";

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

/** The tokens of a request that called no model. */
export const noTokens: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

/** Returns the sums of no requests. */
export function noUsage(): UsageSum {
  return {
    requests: 0,
    failed: 0,
    refused: 0,
    tokens: { ...noTokens },
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

/** Adds tokens to the sums of each class. */
export function addTokens(sum: UsageSum["tokens"], tokens: TokenCounts): void {
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

/** A number of attempts at a target with the same outcome. */
export interface AttemptCount {
  readonly provider: string;
  readonly upstreamModel: string;
  /** The class of the failure; "" for attempts that did not fail. */
  readonly failure: string;
  readonly attempts: number;
}

/** Returns the attempts of a request by target and outcome. */
export function attemptCounts({ target, attempts, attemptsByTarget }: UsageRow): readonly AttemptCount[] {
  const only = target === undefined || attempts === 0 ? [] : [{ ...target, attempts, failed: {} }];
  return (attemptsByTarget ?? only).flatMap(({ failed, ...tried }) => {
    const failures = Object.entries(failed);
    const unfailed = failures.reduce((left, [, count]) => left - count, tried.attempts);
    return [
      ...(unfailed > 0 ? [{ ...tried, failure: "", attempts: unfailed }] : []),
      ...failures.map(([failure, count]) => ({ ...tried, failure, attempts: count })),
    ];
  });
}

/** Adds counts up by target, in the order of the names of targets. */
export function groupAttempts(counts: Iterable<AttemptCount>): readonly TargetAttempts[] {
  const groups = new Map<string, { -readonly [Name in keyof TargetAttempts]: TargetAttempts[Name] }>();
  for (const { provider, upstreamModel, failure, attempts } of counts) {
    const name = `${provider}/${upstreamModel}`;
    const group = groups.get(name) ?? { provider, upstreamModel, attempts: 0, failed: {} };
    groups.set(name, group);
    group.attempts += attempts;
    if (failure !== "") group.failed = { ...group.failed, [failure]: (group.failed[failure] ?? 0) + attempts };
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
