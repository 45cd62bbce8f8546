import { longestWindowSeconds } from "../ports/check-limits.ts";
import type { LimitState } from "../ports/limiter.ts";

/** One token window of one subject. Corrections apply only to the window that was charged. */
export class TokenWindow {
  readonly seconds: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
  readonly #charges = new Map<string, number>();
  #used = 0;

  constructor(seconds: number, now: number) {
    this.seconds = seconds;
    this.resetAt = now + seconds * 1_000;
  }

  /** True when the amount is available. An amount above the limit counts as the limit. */
  fits(amount: number, limit: number): boolean {
    return limit > 0 && this.#used + clamp(amount, limit) <= limit;
  }

  charge(id: string, amount: number, limit: number): void {
    const charged = clamp(amount, limit);
    this.#charges.set(id, charged);
    this.#used += charged;
  }

  /** Replaces the charged tokens with those used, once. A negative count changes nothing. */
  correct(id: string, tokensUsed: number): void {
    const charged = this.#charges.get(id);
    if (charged === undefined) return;
    this.#charges.delete(id);
    if (tokensUsed >= 0) this.#used += tokensUsed - charged;
  }

  state(limit: number, now: number): LimitState {
    return { limit, remaining: Math.max(0, limit - this.#used), resetAt: this.resetAt, now };
  }
}

/** Opens a window now. Throws a RangeError unless its length is a whole number of seconds, at most a week. */
export function openTokenWindow(seconds: number, now: number): TokenWindow {
  return new TokenWindow(checkedWindowSeconds(seconds), now);
}

/** Limits an amount to the range from 0 to the limit of the window. */
function clamp(amount: number, limit: number): number {
  return Math.max(0, Math.min(amount, limit));
}

/** Returns the length of a window if it is valid: 1 to 604,800 whole seconds. Throws a RangeError otherwise. */
export function checkedWindowSeconds(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestWindowSeconds) return seconds;
  throw new RangeError(`windowSeconds must be a whole number from 1 to ${longestWindowSeconds}, not ${seconds}.`);
}
