import type { Limiter, LimitState, Reservation, ReservationResult, Window } from "../ports/limiter.ts";
import { IdleMap } from "./idle-map.ts";
import { RequestWindows } from "./request-windows.ts";
import { openTokenWindow, type TokenWindow } from "./token-window.ts";

/**
 * A Limiter in the memory of this process: exact for it, and blind to other processes. Requests are counted by
 * rate-limiter-flexible. What idle subjects have left behind is dropped little by little as others reserve.
 */
export function memoryLimiter(): Limiter {
  return new MemoryLimiter();
}

/** What one subject has running: the ends of its leases by reservation, the last of them, and its window of tokens. */
interface Subject {
  readonly places: Map<string, number>;
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
    if (!hasPlace(subject, reservation.concurrency, now)) {
      return { granted: false, refusedBy: "concurrency", state: noPlace(reservation.concurrency ?? 0, now) };
    }
    if (wanted !== undefined) tokens?.charge(reservation.id, wanted.amount, wanted.window.limit);
    if (reservation.concurrency !== undefined) takePlace(subject, reservation.id, now + reservation.leaseMs);
    subject.tokens = tokens;
    this.#subjects.set(reservation.subject, subject, now);
    return { granted: true };
  }

  settle(reservation: Reservation, tokensUsed: number): void {
    const subject = this.#subjects.get(reservation.subject);
    subject?.places.delete(reservation.id);
    // A window that has ended is corrected to no effect: the next reservation opens another.
    if (reservation.tokens !== undefined) subject?.tokens?.correct(reservation.id, tokensUsed);
  }

  renew(reservations: readonly Reservation[]): void {
    const now = Date.now();
    for (const { id, subject, leaseMs } of reservations) {
      const known = this.#subjects.get(subject);
      if (known?.places.has(id)) takePlace(known, id, now + leaseMs);
    }
  }
}

function newSubject(): Subject {
  return { places: new Map(), lastLeaseEnd: 0, tokens: undefined };
}

function isIdle({ places, lastLeaseEnd, tokens }: Subject, now: number): boolean {
  return (places.size === 0 || lastLeaseEnd <= now) && (tokens?.resetAt ?? 0) <= now;
}

function takePlace(subject: Subject, id: string, endsAt: number): void {
  subject.places.set(id, endsAt);
  subject.lastLeaseEnd = Math.max(subject.lastLeaseEnd, endsAt);
}

function currentWindow(subject: Subject, reservation: Reservation, now: number): TokenWindow | undefined {
  const wanted = reservation.tokens;
  if (wanted === undefined) return subject.tokens;
  const running = subject.tokens;
  const goesOn = running !== undefined && running.resetAt > now && running.seconds === wanted.window.windowSeconds;
  return goesOn ? running : openTokenWindow(wanted.window.windowSeconds, now);
}

function hasPlace(subject: Subject, concurrency: number | undefined, now: number): boolean {
  if (concurrency === undefined || subject.places.size < concurrency) return true;
  dropExpiredPlaces(subject, now);
  return subject.places.size < concurrency;
}

function dropExpiredPlaces(subject: Subject, now: number): void {
  for (const [id, endsAt] of subject.places) if (endsAt <= now) subject.places.delete(id);
}

function noPlace(limit: number, now: number): LimitState {
  return { limit, remaining: 0, resetAt: now + 1_000, now };
}
