import type { LimitState, Reservation } from "../ports/limiter.ts";
import { longestWindowSeconds } from "../ports/limits-schema.ts";

/** Bounds what is carried, so that the end of the last window is a date. */
const maxWindows = 1_000_000;

/** The tokens of a reservation, in a window of its subject. */
export type Tokens = NonNullable<Reservation["tokens"]>;

/**
 * One token window of one subject. What is used above its limit is carried into the windows after it, each of which pays off
 * its limit, also while nobody asks.
 */
export class TokenWindow {
  readonly seconds: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
  used: number;
  /** The limit of the last reservation, by which the window is known to be paid off. */
  #limit: number;

  /** Opens a window now. Throws a RangeError unless its length is a whole number of seconds, at most a week. */
  constructor({ window }: Tokens, used: number, now: number) {
    this.seconds = checkedWindowSeconds(window.windowSeconds);
    this.resetAt = now + this.seconds * 1_000;
    this.used = used;
    this.#limit = window.limit;
  }

  isRunning(now: number): boolean {
    return this.resetAt > now;
  }

  /** Returns what counts against a limit at a time: what was used, or after the end what is carried. */
  usedAt(now: number, limit: number): number {
    if (this.isRunning(now)) return this.used;
    const ended = 1 + Math.floor((now - this.resetAt) / (this.seconds * 1_000));
    return Math.max(0, this.used - ended * limit);
  }

  add(tokens: number, limit: number): void {
    this.used = Math.min(this.used + tokens, limit * maxWindows);
    this.#limit = limit;
  }

  /** Returns the end of the first window after which this amount fits. */
  fitsAt(amount: number, limit: number): number {
    const windows = Math.max(1, Math.ceil((this.used + amount - limit) / limit));
    return this.resetAt + (windows - 1) * this.seconds * 1_000;
  }

  /** Returns true when nothing of the window counts any longer. */
  isPaidOff(now: number): boolean {
    return !this.isRunning(now) && this.usedAt(now, this.#limit) === 0;
  }
}

/** Returns the tokens that a reservation takes: its amount, from 0 to the limit. NaN becomes an amount that no window grants. */
export function tokensToTake({ amount, window }: Tokens): number {
  return Number.isNaN(amount) ? window.limit + 1 : Math.max(0, Math.min(amount, window.limit));
}

/** Returns the state of a window that refuses an amount, so that the amount fits at `resetAt` if nothing else is taken. */
export function refusedState(running: TokenWindow | undefined, tokens: Tokens, now: number): LimitState {
  const { limit, windowSeconds } = tokens.window;
  const used = running?.usedAt(now, limit) ?? 0;
  const next = now + windowSeconds * 1_000;
  const resetAt =
    limit > 0
      ? (running?.fitsAt(tokensToTake(tokens), limit) ?? next)
      : running?.isRunning(now)
        ? running.resetAt
        : next;
  return { limit, remaining: Math.max(0, limit - used), resetAt, now };
}

/** Returns the length of a window if it is valid: 1 to 604,800 whole seconds. Throws a RangeError otherwise. */
export function checkedWindowSeconds(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestWindowSeconds) return seconds;
  throw new RangeError(`windowSeconds must be a whole number from 1 to ${longestWindowSeconds}, not ${seconds}.`);
}
