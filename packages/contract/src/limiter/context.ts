import type { Limiter, Reservation, ReservationResult, Window } from "@tollgate/core/store";
import type { OpenedFully } from "../suite.ts";

/** What a case of the limiter suite works with. */
export interface LimiterContext extends OpenedFully<Limiter> {
  /** A subject of this case alone. */
  readonly subject: string;
  count(window: Window): ReturnType<Limiter["countRequest"]>;
  /** A reservation of the subject that lives for a minute, unless `more` says otherwise. */
  reservation(more: Partial<Reservation>): Reservation;
  reserve(more: Partial<Reservation>): Promise<ReservationResult>;
}

/** Makes what a case works with, around a fresh subject. */
export function limiterContext(opened: OpenedFully<Limiter>): LimiterContext {
  const subject = `key-${crypto.randomUUID()}`;
  const reservation = (more: Partial<Reservation>): Reservation => ({
    id: crypto.randomUUID(),
    subject,
    leaseMs: 60_000,
    ...more,
  });
  return {
    ...opened,
    subject,
    reservation,
    count: (window) => opened.store.countRequest(subject, window),
    reserve: async (more) => opened.store.reserve(reservation(more)),
  };
}

/** The same with another subject, for a case that is tried again. */
export const afresh = ({ store, peer, wait }: LimiterContext): LimiterContext => limiterContext({ store, peer, wait });

/** Tokens of a window of a minute. */
export function tokensOf(amount: number, limit: number, windowSeconds = 60): NonNullable<Reservation["tokens"]> {
  return { amount, window: { limit, windowSeconds } };
}

/** The `Retry-After` of a refusal, in milliseconds, by the arithmetic of the gateway. */
export function retryAfterMs(state: { readonly resetAt: number; readonly now: number }): number {
  return 1_000 * Math.max(1, Math.ceil((state.resetAt - state.now) / 1_000));
}
