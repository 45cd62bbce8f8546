import { formatAmount } from "@tollgate/core";
import type { Limits, SpendLimit, WindowLimit } from "@tollgate/core/store";

const defaultWindowSeconds = 60;

const shownWindow = ({ limit, windowSeconds = defaultWindowSeconds }: WindowLimit) => ({
  limit,
  window_seconds: windowSeconds,
});

/** Returns limits as JSON for operators. */
export const shownLimits = ({ requests, tokens, concurrency }: Limits) => ({
  requests: requests === undefined ? null : shownWindow(requests),
  tokens: tokens === undefined ? null : shownWindow(tokens),
  concurrency: concurrency ?? null,
});

/** Returns a spend limit as JSON for operators. */
export const shownSpend = ({ limit, window, timezone = "UTC" }: SpendLimit) => ({
  limit: formatAmount(limit),
  window,
  timezone,
});
