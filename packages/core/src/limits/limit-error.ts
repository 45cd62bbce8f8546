import { GatewayError } from "../errors/gateway-error.ts";
import type { LimitState } from "../ports/limiter.ts";
import { rateLimitHeaders, retryAfterSeconds } from "./rate-limit-headers.ts";

/** The 429 of a limit: which one, where it stands, and how long to wait. */
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
