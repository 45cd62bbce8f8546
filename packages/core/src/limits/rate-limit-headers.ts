import type { LimitState } from "../ports/limiter.ts";

const longestWait = 60;

/** The headers that tell a client where its limit stands; the reset is in Unix seconds, never before the real one. */
export function rateLimitHeaders(state: LimitState): Record<string, string> {
  const headers: Record<string, string> = {};
  addRateLimitHeaders(headers, state);
  return headers;
}

/** Puts the same headers to those of an answer. */
export function addRateLimitHeaders(headers: Record<string, string>, state: LimitState): void {
  headers["x-ratelimit-limit"] = String(state.limit);
  headers["x-ratelimit-remaining"] = String(state.remaining);
  headers["x-ratelimit-reset"] = String(Math.ceil(state.resetAt / 1000));
}

/** Whole seconds, at least 1, after which the window has been reset: the value of `Retry-After`. */
export function retryAfterSeconds(state: Pick<LimitState, "resetAt" | "now">): number {
  return Math.max(1, Math.ceil((state.resetAt - state.now) / 1000));
}

/**
 * True for a wait above 60 seconds, where `x-should-retry: false` belongs: the official OpenAI client takes no notice
 * of a longer `Retry-After` and tries again almost at once.
 */
export const shouldNotRetry = (seconds: number): boolean => seconds > longestWait;
