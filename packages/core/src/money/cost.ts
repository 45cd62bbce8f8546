import type { Price } from "../ports/model.ts";
import type { Usage } from "../wire/usage.ts";

const million = 1_000_000n;
const half = 500_000n;

/**
 * What to hold for a request, in nano-units, rounded up once: every prompt token at the dearest price that a prompt
 * token can have. The bounds are whole counts of tokens.
 */
export function holdAmount(price: Price, promptBound: number, outputBound: number): bigint {
  return ceiling(BigInt(promptBound) * price.highestInput + BigInt(outputBound) * price.output) + price.request;
}

/** What to hold when any of several prices may turn out to be the one: the most that {@link holdAmount} gives. */
export function worstCaseCost(prices: readonly Price[], promptBound: number, outputBound: number): bigint {
  let most = 0n;
  for (const price of prices) {
    const amount = holdAmount(price, promptBound, outputBound);
    if (amount > most) most = amount;
  }
  return most;
}

/**
 * What a request costs, in nano-units, rounded once, half up. The usage is one that `readUsage` gave: cached and
 * cache-writing tokens count inside the prompt, never above it. Never more than the hold when the usage is
 * within the hold's bounds.
 */
export function chargeAmount(price: Price, usage: Usage): bigint {
  const prompt = usage.prompt_tokens;
  const details = usage.prompt_tokens_details;
  const cached = Math.min(details?.cached_tokens ?? 0, prompt);
  const written = Math.min(details?.cache_write_tokens ?? 0, prompt - cached);
  let raw = BigInt(prompt - cached - written) * price.input + BigInt(usage.completion_tokens) * price.output;
  if (cached > 0) raw += BigInt(cached) * price.cachedInput;
  if (written > 0) {
    const forHour = Math.min(details?.cache_write_1h_tokens ?? 0, written);
    raw += BigInt(written - forHour) * price.cacheWrite + BigInt(forHour) * price.cacheWrite1h;
  }
  return (raw + half) / million + price.request;
}

/** The usage with all that was written to a cache counted as kept for an hour, unless it says how much was. */
export function withHourWrites(usage: Usage): Usage {
  const details = usage.prompt_tokens_details;
  const written = details?.cache_write_tokens;
  if (written === undefined || details?.cache_write_1h_tokens !== undefined) return usage;
  return { ...usage, prompt_tokens_details: { ...details, cache_write_1h_tokens: written } };
}

/**
 * The most output tokens for which {@link holdAmount} stays within `available` nano-units: 0 when not even the prompt
 * does, and 2^53 - 1 when output costs nothing.
 */
export function affordableOutput(price: Price, available: bigint, promptBound: number): number {
  const left = (available - price.request) * million - BigInt(promptBound) * price.highestInput;
  if (left < 0n) return 0;
  if (price.output === 0n) return Number.MAX_SAFE_INTEGER;
  const tokens = left / price.output;
  return tokens < BigInt(Number.MAX_SAFE_INTEGER) ? Number(tokens) : Number.MAX_SAFE_INTEGER;
}

/** The most output tokens that `available` pays for at every one of the prices. */
export function affordableOutputAtAll(prices: readonly Price[], available: bigint, promptBound: number): number {
  return prices.reduce(
    (least, price) => Math.min(least, affordableOutput(price, available, promptBound)),
    Number.MAX_SAFE_INTEGER,
  );
}

function ceiling(raw: bigint): bigint {
  return (raw + million - 1n) / million;
}
