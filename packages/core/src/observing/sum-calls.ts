import type { CallReport } from "../ports/observer.ts";
import { sumUsage } from "../wire/sum-usage.ts";

/** Combines two calls of one request: the target of the last one, and the sums of usage and cost. */
export function sumCalls(before: CallReport, last: CallReport): CallReport {
  return {
    ...last,
    attempts: before.attempts + last.attempts,
    usage: sumUsage(before.usage, last.usage),
    estimated: before.estimated || last.estimated,
    implausible: before.implausible || last.implausible,
    cost: before.cost + last.cost,
    ...(before.firstContentMs === undefined ? {} : { firstContentMs: before.firstContentMs }),
  };
}
