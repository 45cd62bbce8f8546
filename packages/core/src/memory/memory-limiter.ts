import type { Limiter, LimitState, Reservation, ReservationResult, Window } from "../ports/limiter.ts";
import { checkedWindowSeconds, refusedState, type Tokens, TokenWindow, tokensToTake } from "./token-window.ts";

/**
 * Returns a Limiter in the memory of this process. It is exact for this process and does not see others. It
 * removes idle subjects incrementally when others come.
 */
export function memoryLimiter(): Limiter {
  return new MemoryLimiter();
}

/** The state of one subject. */
interface Subject {
  /**
   * What each reservation that is not settled has taken, by its id. One map, since V8 allocates a new table when the last entry
   * of a map is deleted.
   */
  readonly taken: Map<string, Taken>;
  /** Until when these are remembered at least. */
  takenUntil: number;
  /** The last token window, which may have ended. */
  tokens: TokenWindow | undefined;
}

/** What a reservation has taken: tokens of a window, which may be none, and a slot. */
interface Taken {
  readonly amount: number;
  readonly window: TokenWindow | undefined;
  /** The end of its lease; undefined without a slot. */
  slotUntil: number | undefined;
}

/** A settlement adds what was used beyond the reservation also after the window has ended, for this long at least. */
const settledWithinMs = 3_600_000;

class MemoryLimiter implements Limiter {
  readonly #requests = new RequestWindows();
  readonly #subjects = new IdleMap<Subject>(isIdle);

  countRequest(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    return this.#requests.count(subject, window);
  }

  reserve({ id, subject: name, tokens, concurrency, leaseMs }: Reservation): ReservationResult {
    const now = Date.now();
    const known = this.#subjects.get(name);
    const subject = known ?? { taken: new Map<string, Taken>(), takenUntil: 0, tokens: undefined };
    const refusal = tokens && refusedTokens(subject, tokens, now);
    if (refusal !== undefined) return { granted: false, refusedBy: "tokens", state: refusal };
    if (concurrency !== undefined && !hasSlot(subject, concurrency, now)) {
      return { granted: false, refusedBy: "concurrency", state: noSlot(concurrency, now) };
    }
    const amount = tokens === undefined ? 0 : tokensToTake(tokens);
    const window = tokens && takeTokens(subject, amount, tokens, now);
    const slotUntil = concurrency === undefined ? undefined : now + leaseMs;
    if (slotUntil !== undefined) keepUntil(subject, slotUntil);
    subject.taken.set(id, { amount, window, slotUntil });
    if (known === undefined) this.#subjects.set(name, subject, now);
    return granted;
  }

  settle({ id, subject: name, tokens }: Reservation, tokensUsed: number): void {
    const subject = this.#subjects.get(name);
    const taken = subject?.taken.get(id);
    if (subject === undefined || taken === undefined) return;
    taken.slotUntil = undefined;
    // Its tokens are settled later.
    if (tokens === undefined && taken.window !== undefined) return;
    subject.taken.delete(id);
    if (tokens !== undefined) settleTokens(subject, taken, tokens, tokensUsed);
  }

  renew(reservations: readonly Reservation[]): void {
    const now = Date.now();
    for (const { id, subject: name, leaseMs } of reservations) {
      const subject = this.#subjects.get(name);
      const taken = subject?.taken.get(id);
      if (subject === undefined || taken?.slotUntil === undefined) continue;
      taken.slotUntil = now + leaseMs;
      keepUntil(subject, taken.slotUntil);
    }
  }
}

const granted: ReservationResult = Object.freeze({ granted: true });

function isIdle({ taken, takenUntil, tokens }: Subject, now: number): boolean {
  return (taken.size === 0 || takenUntil <= now) && (tokens?.isPaidOff(now) ?? true);
}

function keepUntil(subject: Subject, time: number): void {
  subject.takenUntil = Math.max(subject.takenUntil, time);
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

/** Takes tokens, and returns the window that they are taken from. */
function takeTokens(subject: Subject, amount: number, tokens: Tokens, now: number): TokenWindow {
  const window = openWindow(subject, windowFor(subject, tokens), tokens, now);
  window.add(amount, tokens.window.limit);
  keepUntil(subject, Math.max(window.resetAt, now + settledWithinMs));
  return window;
}

/** Returns the last window if it is running, or opens one with what the last carries into it. */
function openWindow(subject: Subject, last: TokenWindow | undefined, tokens: Tokens, now: number): TokenWindow {
  if (last?.isRunning(now)) return last;
  subject.tokens = new TokenWindow(tokens, last?.usedAt(now, tokens.window.limit) ?? 0, now);
  return subject.tokens;
}

/**
 * Replaces the reserved tokens with those used. A refund changes only the window that was charged; what was used beyond the
 * reservation is added to the window that is open now. A negative count changes nothing.
 */
function settleTokens(subject: Subject, { amount, window: charged }: Taken, tokens: Tokens, tokensUsed: number): void {
  if (charged === undefined || !(tokensUsed >= 0)) return;
  const beyond = tokensUsed - amount;
  const window = beyond > 0 ? openWindow(subject, subject.tokens, tokens, Date.now()) : charged;
  if (beyond !== 0) window.add(beyond, tokens.window.limit);
}

/** Returns true if a slot is left. Removes the slots whose lease has expired if there may be none. */
function hasSlot({ taken }: Subject, concurrency: number, now: number): boolean {
  if (taken.size < concurrency) return true;
  let slots = 0;
  for (const [id, each] of taken) {
    if (each.slotUntil === undefined) continue;
    if (each.slotUntil > now) slots += 1;
    else if (each.window === undefined) taken.delete(id);
    else each.slotUntil = undefined;
  }
  return slots < concurrency;
}

function noSlot(limit: number, now: number): LimitState {
  return { limit, remaining: 0, resetAt: now + 1_000, now };
}

/** The requests of one subject in one window. */
interface RequestCount {
  readonly limit: number;
  readonly seconds: number;
  requests: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

/** Counts requests in fixed windows, which the first request of a subject opens. Ended windows are removed when others open. */
export class RequestWindows {
  /** The windows of each subject: one, unless keys with different limits are counted together. */
  readonly #counts = new IdleMap<readonly RequestCount[]>((counts, now) =>
    counts.every(({ resetAt }) => resetAt <= now),
  );

  count(subject: string, window: Window): { readonly granted: boolean; readonly state: LimitState } {
    const limit = checkedLimit(window.limit);
    const seconds = checkedWindowSeconds(window.windowSeconds);
    const now = Date.now();
    const count = this.#current(subject, limit, seconds, now);
    count.requests += 1;
    const remaining = Math.max(0, limit - count.requests);
    return { granted: count.requests <= limit, state: { limit, remaining, resetAt: count.resetAt, now } };
  }

  /** A key whose limit changes starts a new window. */
  #current(subject: string, limit: number, seconds: number, now: number): RequestCount {
    const counts = this.#counts.get(subject) ?? [];
    for (const each of counts) if (each.limit === limit && each.seconds === seconds && each.resetAt > now) return each;
    const opened = { limit, seconds, requests: 0, resetAt: now + seconds * 1_000 };
    this.#counts.set(subject, [...counts.filter(({ resetAt }) => resetAt > now), opened], now);
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
