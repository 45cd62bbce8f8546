import { formatAmount } from "../../options/decimal.ts";
import type { Limits, WindowLimit } from "../../ports/key-store.ts";
import type { SpendLimit } from "../../ports/spend-limit.ts";
import type { TokenCounts } from "../../wire/usage.ts";

/** Returns nano-units as a number of the currency, as clients of OpenRouter's API read amounts. It is rounded to 15 digits or more. */
export const numberOf = (nano: bigint): number => Number(formatAmount(nano));

/** Shows tokens by class. */
export const shownTokens = ({ input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning }: TokenCounts) => ({
  input,
  cached_input: cachedInput,
  cache_write_5m: cacheWrite5m,
  cache_write_1h: cacheWrite1h,
  output,
  reasoning,
});

const defaultWindowSeconds = 60;

const shownWindow = ({ limit, windowSeconds = defaultWindowSeconds }: WindowLimit) => ({
  limit,
  window_seconds: windowSeconds,
});

/** Shows limits. Null: no limit. */
export const shownLimits = ({ requests, tokens, concurrency }: Limits) => ({
  requests: requests === undefined ? null : shownWindow(requests),
  tokens: tokens === undefined ? null : shownWindow(tokens),
  concurrency: concurrency ?? null,
});

/** Shows a spend limit. */
export const shownSpend = ({ limit, window, timezone = "UTC" }: SpendLimit) => ({
  limit: formatAmount(limit),
  window,
  timezone,
});
