// oxlint-disable-next-line typescript/triple-slash-reference -- every program that compiles this file needs the declaration
/// <reference path="./rate-limiter-storage.d.ts" />
import MemoryStorage from "rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js";
import type { LimitState, Window } from "../ports/limiter.ts";
import { checkedWindowSeconds } from "./token-window.ts";

/**
 * Counts requests in fixed windows, which the first request opens. It calls the storage of rate-limiter-flexible's memory
 * limiter directly, since the limiter itself returns promises. Ended windows use no memory.
 */
export class RequestWindows {
  /** By seconds and limit, since a key whose limit changes starts a new window. Nested maps avoid building string keys. */
  readonly #counts = new Map<number, Map<number, MemoryStorage>>();

  count(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    const limit = checkedLimit(window.limit);
    const seconds = checkedWindowSeconds(window.windowSeconds);
    const { consumedPoints, msBeforeNext } = this.#countsOf(limit, seconds).incrby(subject, 1, seconds);
    // Reads the clock after the storage did, so that resetAt is never before the end of the window.
    const now = Date.now();
    const remaining = Math.max(0, limit - consumedPoints);
    return {
      granted: consumedPoints <= limit,
      state: { limit, remaining, resetAt: now + Math.max(0, msBeforeNext), now },
    };
  }

  #countsOf(limit: number, seconds: number): MemoryStorage {
    const known = this.#counts.get(seconds)?.get(limit);
    if (known !== undefined) return known;
    const counts = new MemoryStorage();
    const byLimit = this.#counts.get(seconds) ?? new Map<number, MemoryStorage>();
    this.#counts.set(seconds, byLimit.set(limit, counts));
    return counts;
  }
}

function checkedLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new RangeError(`The limit of a window must be a whole number from 0 upwards, not ${limit}.`);
}
