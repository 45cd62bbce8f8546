import { longestWindowSeconds } from "../ports/check-limits.ts";
import type { LimitState, Window } from "../ports/limiter.ts";

/** The requests of one subject in one window. */
interface RequestCount {
  requests: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

/** Counts requests in fixed windows, which the first request of a subject opens. Ended windows are removed when others open. */
export class RequestWindows {
  readonly #counts = new IdleMap<RequestCount>(({ resetAt }, now) => resetAt <= now);

  count(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    const limit = checkedLimit(window.limit);
    const seconds = checkedWindowSeconds(window.windowSeconds);
    const now = Date.now();
    // A key whose limit changes starts a new window.
    const count = this.#current(`${seconds} ${limit} ${subject}`, seconds, now);
    count.requests += 1;
    const remaining = Math.max(0, limit - count.requests);
    return { granted: count.requests <= limit, state: { limit, remaining, resetAt: count.resetAt, now } };
  }

  #current(id: string, seconds: number, now: number): RequestCount {
    const known = this.#counts.get(id);
    if (known !== undefined && known.resetAt > now) return known;
    const opened = { requests: 0, resetAt: now + seconds * 1_000 };
    this.#counts.set(id, opened, now);
    return opened;
  }
}

function checkedLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new RangeError(`The limit of a window must be a whole number from 0 upwards, not ${limit}.`);
}

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

/**
 * A map that removes idle entries incrementally. Each `set` adds at most one entry and checks two others in rotation, so
 * that idle entries do not accumulate, without a timer.
 */
export class IdleMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #isIdle: (value: Value, now: number) => boolean;
  #rotation = this.#entries.entries();

  constructor(isIdle: (value: Value, now: number) => boolean) {
    this.#isIdle = isIdle;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): Value | undefined {
    return this.#entries.get(id);
  }

  set(id: string, value: Value, now: number): void {
    this.#checkNext(now);
    this.#checkNext(now);
    this.#entries.set(id, value);
  }

  #checkNext(now: number): void {
    const next = this.#rotation.next();
    if (next.done) this.#rotation = this.#entries.entries();
    else if (this.#isIdle(next.value[1], now)) this.#entries.delete(next.value[0]);
  }
}
