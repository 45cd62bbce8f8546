import type { Limiter, LimitState, Reservation, ReservationResult, Window } from "../ports/limiter.ts";
import { checkedWindowSeconds, refusedState, type Tokens, TokenWindow, tokensToTake } from "./token-window.ts";

/**
 * Returns a Limiter in the memory of this process. It is exact for this process and does not see others. It
 * removes idle subjects incrementally when others come.
 */
export function memoryLimiter(): Limiter {
  return new MemoryLimiter();
}

/** The state of one subject: the end of each lease by reservation id, the latest of them, and the tokens. */
interface Subject {
  readonly slots: Map<string, number>;
  lastLeaseEnd: number;
  /** The last token window, which may have ended. */
  tokens: TokenWindow | undefined;
  /** What each reservation that is not settled has taken, by its id, and from which window. */
  readonly reserved: Map<string, { readonly amount: number; readonly window: TokenWindow }>;
  /** Until when an unsettled reservation is remembered at least. */
  reservedUntil: number;
}

/** A settlement adds what was used beyond the reservation also after the window has ended, for this long at least. */
const settledWithinMs = 3_600_000;

class MemoryLimiter implements Limiter {
  readonly #requests = new RequestWindows();
  readonly #subjects = new IdleMap<Subject>(isIdle);

  countRequest(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    return this.#requests.count(subject, window);
  }

  reserve(reservation: Reservation): ReservationResult {
    const now = Date.now();
    const subject = this.#subjects.get(reservation.subject) ?? newSubject();
    const { tokens } = reservation;
    const refusal = tokens && refusedTokens(subject, tokens, now);
    if (refusal !== undefined) return { granted: false, refusedBy: "tokens", state: refusal };
    if (!hasSlot(subject, reservation.concurrency, now)) {
      return { granted: false, refusedBy: "concurrency", state: noSlot(reservation.concurrency ?? 0, now) };
    }
    if (tokens !== undefined) takeTokens(subject, reservation.id, tokens, now);
    if (reservation.concurrency !== undefined) takeSlot(subject, reservation.id, now + reservation.leaseMs);
    this.#subjects.set(reservation.subject, subject, now);
    return { granted: true };
  }

  settle({ id, subject: name, tokens }: Reservation, tokensUsed: number): void {
    const subject = this.#subjects.get(name);
    if (subject === undefined) return;
    subject.slots.delete(id);
    if (tokens !== undefined) settleTokens(subject, id, tokens, tokensUsed);
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
  return { slots: new Map(), lastLeaseEnd: 0, tokens: undefined, reserved: new Map(), reservedUntil: 0 };
}

function isIdle({ slots, lastLeaseEnd, tokens, reserved, reservedUntil }: Subject, now: number): boolean {
  const isFree = slots.size === 0 || lastLeaseEnd <= now;
  return isFree && (reserved.size === 0 || reservedUntil <= now) && (tokens?.isPaidOff(now) ?? true);
}

/** A window of another length does not count, since the limit was changed. */
function windowFor({ tokens: last }: Subject, { window }: Tokens): TokenWindow | undefined {
  return last?.seconds === checkedWindowSeconds(window.windowSeconds) ? last : undefined;
}

function refusedTokens(subject: Subject, tokens: Tokens, now: number): LimitState | undefined {
  const { limit } = tokens.window;
  const last = windowFor(subject, tokens);
  const fits = limit > 0 && (last?.usedAt(now, limit) ?? 0) + tokensToTake(tokens) <= limit;
  return fits ? undefined : refusedState(last, tokens, now);
}

function takeTokens(subject: Subject, id: string, tokens: Tokens, now: number): void {
  const window = openWindow(subject, windowFor(subject, tokens), tokens, now);
  const amount = tokensToTake(tokens);
  window.add(amount, tokens.window.limit);
  subject.reserved.set(id, { amount, window });
  subject.reservedUntil = Math.max(window.resetAt, now + settledWithinMs);
}

/** Returns the last window if it is running, or opens one with what the last carries into it. */
function openWindow(subject: Subject, last: TokenWindow | undefined, tokens: Tokens, now: number): TokenWindow {
  if (last?.isRunning(now)) return last;
  subject.tokens = new TokenWindow(tokens, last?.usedAt(now, tokens.window.limit) ?? 0, now);
  return subject.tokens;
}

/**
 * Replaces the reserved tokens with those used, once. A refund changes only the window that was charged; what was used beyond
 * the reservation is added to the window that is open now. A negative count changes nothing.
 */
function settleTokens(subject: Subject, id: string, tokens: Tokens, tokensUsed: number): void {
  const reserved = subject.reserved.get(id);
  subject.reserved.delete(id);
  if (reserved === undefined || !(tokensUsed >= 0)) return;
  const beyond = tokensUsed - reserved.amount;
  const now = Date.now();
  const window = beyond > 0 ? openWindow(subject, subject.tokens, tokens, now) : reserved.window;
  if (beyond !== 0) window.add(beyond, tokens.window.limit);
}

function takeSlot(subject: Subject, id: string, endsAt: number): void {
  subject.slots.set(id, endsAt);
  subject.lastLeaseEnd = Math.max(subject.lastLeaseEnd, endsAt);
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
