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
  readonly #counts = new MemoryStorage();

  count(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    const limit = checkedLimit(window.limit);
    const seconds = checkedWindowSeconds(window.windowSeconds);
    // A key whose limit changes starts a window of its own.
    const { consumedPoints, msBeforeNext } = this.#counts.incrby(`${limit}/${seconds} ${subject}`, 1, seconds);
    // Read after the storage has read its own clock, so that resetAt is never earlier than the window's end.
    const now = Date.now();
    const remaining = Math.max(0, limit - consumedPoints);
    return {
      granted: consumedPoints <= limit,
      state: { limit, remaining, resetAt: now + Math.max(0, msBeforeNext), now },
    };
  }
}

function checkedLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new RangeError(`The limit of a window must be a whole number from 0 upwards, not ${limit}.`);
}
