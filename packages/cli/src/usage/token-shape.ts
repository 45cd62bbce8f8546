import type { TokenCounts } from "@tollgate/core/store";

/** Tokens by class in the output of --json. */
export const toTokenShape = (tokens: TokenCounts) => ({
  input: tokens.input,
  cached_input: tokens.cachedInput,
  cache_write_5m: tokens.cacheWrite5m,
  cache_write_1h: tokens.cacheWrite1h,
  output: tokens.output,
  reasoning: tokens.reasoning,
});
