import { longestWindowSeconds } from "../ports/check-limits.ts";
import type { LimitState } from "../ports/limiter.ts";

/** One window of tokens of one subject. What was charged in it is corrected in it, or never. */
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

  /** True when the amount is still free; one above the limit counts as the limit. */
  fits(amount: number, limit: number): boolean {
    return limit > 0 && this.#used + within(amount, limit) <= limit;
  }

  charge(id: string, amount: number, limit: number): void {
    const charged = within(amount, limit);
    this.#charges.set(id, charged);
    this.#used += charged;
  }

  /** Puts what was really used in the place of what was charged, once. A negative count changes nothing. */
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

/** Opens a window now; throws a RangeError when its length is not a whole number of seconds of a week at most. */
export function openTokenWindow(seconds: number, now: number): TokenWindow {
  return new TokenWindow(checkedWindowSeconds(seconds), now);
}

/** No amount gives credit, and none is more than a fresh window has. */
function within(amount: number, limit: number): number {
  return Math.max(0, Math.min(amount, limit));
}

/** The length itself when a window may have it: 1 to 604,800 whole seconds. */
export function checkedWindowSeconds(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestWindowSeconds) return seconds;
  throw new RangeError(`windowSeconds must be a whole number from 1 to ${longestWindowSeconds}, not ${seconds}.`);
}
