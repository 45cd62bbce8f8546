import type { TokenCounts } from "../ports/receipt.ts";
import type { Usage } from "../wire/usage.ts";

/**
 * Returns the tokens of a usage by class, as `chargeAmount` prices them: cached tokens come before written ones, and
 * details that exceed their whole are reduced to it.
 */
export function countByClass(usage: Usage): TokenCounts {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage;
  const cachedInput = Math.min(details?.cached_tokens ?? 0, input);
  const written = Math.min(details?.cache_write_tokens ?? 0, input - cachedInput);
  const cacheWrite1h = Math.min(details?.cache_write_1h_tokens ?? 0, written);
  const reasoning = Math.min(usage.completion_tokens_details?.reasoning_tokens ?? 0, output);
  return { input, cachedInput, cacheWrite5m: written - cacheWrite1h, cacheWrite1h, output, reasoning };
}
