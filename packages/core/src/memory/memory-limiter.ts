import { longestWindowSeconds } from "../ports/check-limits.ts";
import type { Limiter, LimitState, Reservation, ReservationResult, Window } from "../ports/limiter.ts";

/**
 * Returns a Limiter in the memory of this process. It is exact for this process and does not see others. It
 * removes idle subjects incrementally when others come.
 */
export function memoryLimiter(): Limiter {
  return new MemoryLimiter();
}

/** The state of one subject: the end of each lease by reservation id, the latest of them, and the token window. */
interface Subject {
  readonly slots: Map<string, number>;
  lastLeaseEnd: number;
  tokens: TokenWindow | undefined;
}

class MemoryLimiter implements Limiter {
  readonly #requests = new RequestWindows();
  readonly #subjects = new IdleMap<Subject>(isIdle);

  countRequest(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    return this.#requests.count(subject, window);
  }

  reserve(reservation: Reservation): ReservationResult {
    const now = Date.now();
    const subject = this.#subjects.get(reservation.subject) ?? newSubject();
    const tokens = currentWindow(subject, reservation, now);
    const wanted = reservation.tokens;
    if (wanted !== undefined && tokens?.fits(wanted.amount, wanted.window.limit) === false) {
      return { granted: false, refusedBy: "tokens", state: tokens.state(wanted.window.limit, now) };
    }
    if (!hasSlot(subject, reservation.concurrency, now)) {
      return { granted: false, refusedBy: "concurrency", state: noSlot(reservation.concurrency ?? 0, now) };
    }
    if (wanted !== undefined) tokens?.charge(reservation.id, wanted.amount, wanted.window.limit);
    if (reservation.concurrency !== undefined) takeSlot(subject, reservation.id, now + reservation.leaseMs);
    subject.tokens = tokens;
    this.#subjects.set(reservation.subject, subject, now);
    return { granted: true };
  }

  settle(reservation: Reservation, tokensUsed: number): void {
    const subject = this.#subjects.get(reservation.subject);
    subject?.slots.delete(reservation.id);
    // Correcting a window that has ended has no effect, since the next reservation opens a new one.
    if (reservation.tokens !== undefined) subject?.tokens?.correct(reservation.id, tokensUsed);
  }

  renew(reservations: readonly Reservation[]): void {
    const now = Date.now();
    for (const { id, subject, leaseMs } of reservations) {
      const known = this.#subjects.get(subject);
      if (known?.slots.has(id)) takeSlot(known, id, now + leaseMs);
    }
  }
}

function newSubject(): Subject {
  return { slots: new Map(), lastLeaseEnd: 0, tokens: undefined };
}

function isIdle({ slots, lastLeaseEnd, tokens }: Subject, now: number): boolean {
  return (slots.size === 0 || lastLeaseEnd <= now) && (tokens?.resetAt ?? 0) <= now;
}

function takeSlot(subject: Subject, id: string, endsAt: number): void {
  subject.slots.set(id, endsAt);
  subject.lastLeaseEnd = Math.max(subject.lastLeaseEnd, endsAt);
}

function currentWindow(subject: Subject, reservation: Reservation, now: number): TokenWindow | undefined {
  const wanted = reservation.tokens;
  if (wanted === undefined) return subject.tokens;
  const running = subject.tokens;
  const isCurrent = running !== undefined && running.resetAt > now && running.seconds === wanted.window.windowSeconds;
  return isCurrent ? running : openTokenWindow(wanted.window.windowSeconds, now);
}

function hasSlot(subject: Subject, concurrency: number | undefined, now: number): boolean {
  if (concurrency === undefined || subject.slots.size < concurrency) return true;
  dropExpiredSlots(subject, now);
  return subject.slots.size < concurrency;
}

function dropExpiredSlots(subject: Subject, now: number): void {
  for (const [id, endsAt] of subject.slots) if (endsAt <= now) subject.slots.delete(id);
}

function noSlot(limit: number, now: number): LimitState {
  return { limit, remaining: 0, resetAt: now + 1_000, now };
}

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
