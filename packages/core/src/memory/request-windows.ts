// oxlint-disable-next-line typescript/triple-slash-reference -- whatever compiles this file must find the declaration
/// <reference path="./rate-limiter-memory.d.ts" />
import type { RateLimiterMemory as Limiter, RateLimiterRes } from "rate-limiter-flexible";
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import type { LimitState, Window } from "../ports/limiter.ts";
import { checkedWindowSeconds } from "./token-window.ts";

/**
 * Counts requests in fixed windows that the first request opens, by rate-limiter-flexible's memory limiter. A subject
 * whose window has ended costs no memory. A subject whose limit changes starts a window of its own.
 */
export class RequestWindows {
  readonly #limiters = new Map<string, Limiter>();

  count(
    subject: string,
    { limit, windowSeconds }: Window,
  ): Promise<{ readonly granted: boolean; readonly state: LimitState }> {
    const limiter = this.#limiterOf(checkedLimit(limit), checkedWindowSeconds(windowSeconds));
    const toState = ({ remainingPoints, msBeforeNext }: RateLimiterRes): LimitState => {
      // Read after the limiter has read its own clock, so that resetAt is never earlier than the window's end.
      const now = Date.now();
      return { limit, remaining: remainingPoints, resetAt: now + Math.max(0, msBeforeNext), now };
    };
    return limiter.consume(subject).then(
      (result) => ({ granted: true, state: toState(result) }),
      (refusal: RateLimiterRes) => ({ granted: false, state: toState(refusal) }),
    );
  }

  #limiterOf(limit: number, seconds: number): Limiter {
    const name = `${limit}/${seconds}`;
    const known = this.#limiters.get(name);
    if (known !== undefined) return known;
    const limiter = new RateLimiterMemory({ points: limit, duration: seconds });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

function checkedLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new RangeError(`The limit of a window must be a whole number from 0 upwards, not ${limit}.`);
}
