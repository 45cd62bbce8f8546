import { GatewayError } from "../../errors/gateway-error.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import type { Limiter, LimitState, Reservation, ReservationResult } from "../../ports/limiter.ts";
import { isPromiseLike } from "../../runtime/awaitable.ts";

/** Settles a reservation, if there is one, with the tokens that were used. Never throws. */
export function settleReservation(
  limiter: Limiter,
  { waitUntil }: Pick<ClientRequest, "waitUntil">,
  reservation: Reservation | undefined,
  tokensUsed: number,
): void {
  if (reservation === undefined) return;
  try {
    const settled = limiter.settle(reservation, tokensUsed);
    if (!isPromiseLike(settled)) return;
    const done = Promise.resolve(settled).catch(() => undefined);
    waitUntil?.(done);
  } catch {
    // The lease ends the slot, and the reserved tokens count until the window ends.
  }
}

/** Releases the concurrency of a reservation whose tokens are settled later. Returns what is left of it. */
export function releaseConcurrency(
  limiter: Limiter,
  request: Pick<ClientRequest, "waitUntil">,
  reservation: Reservation | undefined,
): Reservation | undefined {
  if (reservation?.concurrency === undefined) return reservation;
  const { tokens } = reservation;
  // Passes the reserved amount, so that a limiter which settles everything at once leaves the tokens as they were.
  settleReservation(limiter, request, { ...reservation, tokens: undefined }, tokens?.amount ?? 0);
  return tokens && { ...reservation, concurrency: undefined };
}

/** Returns false for an invalid answer of `Limiter.countRequest`. */
export const isCount = (answer: Awaited<ReturnType<Limiter["countRequest"]>>): boolean =>
  typeof answer?.granted === "boolean" && isLimitState(answer.state);

/** Returns false for an invalid answer of `Limiter.reserve`. */
export const isReservationResult = (answer: ReservationResult): boolean =>
  answer?.granted === true || (answer?.granted === false && isLimitState(answer.state));

const isLimitState = (state: LimitState): boolean =>
  Number.isFinite(state?.limit + state?.remaining + state?.resetAt + state?.now);

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
