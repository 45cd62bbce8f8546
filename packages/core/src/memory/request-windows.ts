// oxlint-disable-next-line typescript/triple-slash-reference -- whatever compiles this file must find the declaration
/// <reference path="./rate-limiter-memory.d.ts" />
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import type { LimitState, Window } from "../ports/limiter.ts";
import { checkedWindowSeconds } from "./token-window.ts";

/**
 * Counts requests in fixed windows that the first request opens, with one counter of rate-limiter-flexible for
 * each distinct window. A subject whose window has ended costs no memory.
 */
export class RequestWindows {
  readonly #counters = new Map<string, RateLimiterMemory>();

  async count(subject: string, window: Window): Promise<{ readonly granted: boolean; readonly state: LimitState }> {
    const consumed = this.#counter(window).consume(subject, 1);
    // Read after the counter has read its own clock, so that resetAt is never earlier than the window's end.
    const now = Date.now();
    const toState = (left: { readonly remainingPoints: number; readonly msBeforeNext: number }): LimitState => ({
      limit: window.limit,
      remaining: left.remainingPoints,
      resetAt: now + Math.max(0, left.msBeforeNext),
      now,
    });
    return consumed.then(
      (left) => ({ granted: true, state: toState(left) }),
      (left) => ({ granted: false, state: toState(left) }),
    );
  }

  #counter(window: Window): RateLimiterMemory {
    const name = `${window.limit}/${window.windowSeconds}`;
    const known = this.#counters.get(name);
    if (known !== undefined) return known;
    const duration = checkedWindowSeconds(window.windowSeconds);
    const counter = new RateLimiterMemory({ points: checkedLimit(window.limit), duration, keyPrefix: "" });
    this.#counters.set(name, counter);
    return counter;
  }
}

function checkedLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new RangeError(`The limit of a window must be a whole number from 0 upwards, not ${limit}.`);
}
