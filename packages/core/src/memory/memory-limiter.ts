import type { Limiter, LimitState, Reservation, ReservationResult, Window } from "../ports/limiter.ts";
import { IdleMap, openTokenWindow, RequestWindows, type TokenWindow } from "./limit-windows.ts";

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
