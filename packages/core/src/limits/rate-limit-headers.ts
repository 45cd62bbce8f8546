import { GatewayError } from "../errors/gateway-error.ts";
import type { LimitState } from "../ports/limiter.ts";

const maxClientWaitSeconds = 60;

/** Returns the headers with the state of a limit. The reset is in Unix seconds, rounded up. */
export function rateLimitHeaders(state: LimitState): Record<string, string> {
  const headers: Record<string, string> = {};
  addRateLimitHeaders(headers, state);
  return headers;
}

/** Adds the same headers to those of an answer. */
export function addRateLimitHeaders(headers: Record<string, string>, state: LimitState): void {
  headers["x-ratelimit-limit"] = String(state.limit);
  headers["x-ratelimit-remaining"] = String(state.remaining);
  headers["x-ratelimit-reset"] = String(Math.ceil(state.resetAt / 1000));
}

/** Returns the whole seconds until the window resets, at least 1: the value of `Retry-After`. */
export function retryAfterSeconds(state: Pick<LimitState, "resetAt" | "now">): number {
  return Math.max(1, Math.ceil((state.resetAt - state.now) / 1000));
}

/**
 * Returns true for a wait above 60 seconds, which needs `x-should-retry: false`: the official OpenAI client ignores a
 * longer `Retry-After` and retries almost at once.
 */
export const shouldNotRetry = (seconds: number): boolean => seconds > maxClientWaitSeconds;

/** Makes the 429 of a limit, with its state and how long to wait. `what` is the first sentence of the message. */
export function limitError(
  limit: "requests" | "tokens" | "concurrency",
  state: LimitState,
  what: string,
): GatewayError {
  const seconds = limit === "concurrency" ? 1 : retryAfterSeconds(state);
  return new GatewayError("rate_limit_exceeded", `${what} The limit is ${state.limit}. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    headers: rateLimitHeaders(state),
    metadata: { limit },
  });
}
