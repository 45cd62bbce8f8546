import type { CallReport } from "../ports/observer.ts";
import type { TokenCounts } from "../ports/receipt.ts";
import { sumUsage } from "../wire/sum-usage.ts";

/** Combines two calls of one request: the target of the last one, and the sums of usage and cost. */
export function sumCalls(before: CallReport, { upstreamCost, ...last }: CallReport): CallReport {
  const isKnown = before.upstreamCost !== undefined && upstreamCost !== undefined;
  return {
    ...last,
    tokens: sumTokens(before.tokens, last.tokens),
    // The sum of some calls alone would show a margin that is too high.
    ...(isKnown ? { upstreamCost: before.upstreamCost + upstreamCost } : {}),
    attempts: before.attempts + last.attempts,
    usage: sumUsage(before.usage, last.usage),
    estimated: before.estimated || last.estimated,
    implausible: before.implausible || last.implausible,
    cost: before.cost + last.cost,
    ...(before.firstContentMs === undefined ? {} : { firstContentMs: before.firstContentMs }),
  };
}

function sumTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    cachedInput: one.cachedInput + other.cachedInput,
    cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
  };
}
