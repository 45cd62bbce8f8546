import type { Price } from "../ports/model.ts";
import type { Usage } from "../wire/usage.ts";
import { chargeAmount } from "./cost.ts";

const tolerance = 10;

/** The amount and the tokens that were reserved for a request. */
export interface Bound {
  /** The hold in nano-units; on a plan without billing, the amount that it would have been. */
  readonly amount: bigint;
  /** Prompt and output together. */
  readonly tokens: number;
}

/** The charge of a request. */
export interface Charge {
  readonly usage: Usage;
  /** Nano-units. */
  readonly cost: bigint;
  /** The usage that the provider reported, if it was cut. */
  readonly cutFrom: Usage | undefined;
}

/**
 * Charges the usage that a provider reported, at most ten times the hold. A higher cost is cut to that, and the counts
 * in the same proportion. A request of a free model holds nothing, so its counts are cut at ten times its tokens.
 */
export function chargeUsage(price: Price, usage: Usage, bound: Bound): Charge {
  const cost = chargeAmount(price, usage);
  if (!isAbove(tolerance, cost, usage, bound)) return { usage, cost, cutFrom: undefined };
  const most = BigInt(tolerance) * bound.amount;
  if (most > 0n) return { usage: cut(usage, most, cost), cost: most, cutFrom: usage };
  const tokens = BigInt(tolerance * bound.tokens);
  return { usage: cut(usage, tokens, BigInt(usage.total_tokens)), cost, cutFrom: usage };
}

/** Returns true for a usage that {@link chargeUsage} would cut. */
export const isImplausible = (price: Price, usage: Usage, bound: Bound): boolean =>
  exceeds(tolerance, price, usage, bound);

/** Returns true for a usage above a multiple of what was reserved. */
export const exceeds = (times: number, price: Price, usage: Usage, bound: Bound): boolean =>
  isAbove(times, chargeAmount(price, usage), usage, bound);

function isAbove(times: number, cost: bigint, usage: Usage, { amount, tokens }: Bound): boolean {
  return amount > 0n ? cost > BigInt(times) * amount : usage.total_tokens > times * tokens;
}

/** Multiplies the counts by `part` / `whole`, and drops the details, which would no longer add up. */
function cut({ prompt_tokens, completion_tokens }: Usage, part: bigint, whole: bigint): Usage {
  const prompt = Number((BigInt(prompt_tokens) * part) / whole);
  const completion = Number((BigInt(completion_tokens) * part) / whole);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
