import type { Price } from "../ports/model.ts";
import type { Usage } from "../wire/usage.ts";
import { chargeAmount } from "./cost.ts";

const tolerance = 10;

/** What was reserved for a request. */
export interface Bound {
  /** The hold in nano-units; on a plan that does not bill, what the hold would have been. */
  readonly amount: bigint;
  /** Prompt and output together. */
  readonly tokens: number;
}

/** What a request is charged. */
export interface Charge {
  readonly usage: Usage;
  /** Nano-units. */
  readonly cost: bigint;
  /** What the provider reported, where that was too much and was cut. */
  readonly cutFrom: Usage | undefined;
}

/**
 * Charges the usage that a provider reported, at most ten times the hold. Where that cuts, the counts are cut in the
 * same proportion. A request of a free model holds nothing, so there ten times its tokens is the most.
 */
export function chargeUsage(price: Price, usage: Usage, bound: Bound): Charge {
  const cost = chargeAmount(price, usage);
  if (!isAbove(tolerance, cost, usage, bound)) return { usage, cost, cutFrom: undefined };
  const most = BigInt(tolerance) * bound.amount;
  if (most > 0n) return { usage: cut(usage, most, cost), cost: most, cutFrom: usage };
  const tokens = BigInt(tolerance * bound.tokens);
  return { usage: cut(usage, tokens, BigInt(usage.total_tokens)), cost, cutFrom: usage };
}

/** True for a usage that {@link chargeUsage} would cut. */
export const isImplausible = (price: Price, usage: Usage, bound: Bound): boolean =>
  exceeds(tolerance, price, usage, bound);

/** True for a usage above so many times what was reserved. */
export const exceeds = (times: number, price: Price, usage: Usage, bound: Bound): boolean =>
  isAbove(times, chargeAmount(price, usage), usage, bound);

function isAbove(times: number, cost: bigint, usage: Usage, { amount, tokens }: Bound): boolean {
  return amount > 0n ? cost > BigInt(times) * amount : usage.total_tokens > times * tokens;
}

/** The counts times `part` / `whole`, without details, which would no longer fit. */
function cut({ prompt_tokens, completion_tokens }: Usage, part: bigint, whole: bigint): Usage {
  const prompt = Number((BigInt(prompt_tokens) * part) / whole);
  const completion = Number((BigInt(completion_tokens) * part) / whole);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
