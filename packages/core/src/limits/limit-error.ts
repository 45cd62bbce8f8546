import { GatewayError } from "../errors/gateway-error.ts";
import type { LimitState } from "../ports/limiter.ts";
import { rateLimitHeaders, retryAfterSeconds } from "./rate-limit-headers.ts";

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
