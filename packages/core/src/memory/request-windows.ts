// oxlint-disable-next-line typescript/triple-slash-reference -- whatever compiles this file must find the declaration
/// <reference path="./rate-limiter-storage.d.ts" />
import MemoryStorage from "rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js";
import type { LimitState, Window } from "../ports/limiter.ts";
import { checkedWindowSeconds } from "./token-window.ts";

/**
 * Counts requests in fixed windows that the first request opens. It asks the storage of rate-limiter-flexible's memory
 * limiter, since the limiter itself answers by a promise. A subject whose window has ended costs no memory.
 */
export class RequestWindows {
  /** By seconds and limit, since a key whose limit changes starts a window of its own: no name for it has to be put together. */
  readonly #counts = new Map<number, Map<number, MemoryStorage>>();

  count(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    const limit = checkedLimit(window.limit);
    const seconds = checkedWindowSeconds(window.windowSeconds);
    const { consumedPoints, msBeforeNext } = this.#countsOf(limit, seconds).incrby(subject, 1, seconds);
    // Read after the storage has read its own clock, so that resetAt is never earlier than the window's end.
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
