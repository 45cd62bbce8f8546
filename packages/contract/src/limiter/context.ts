import type { Limiter, Reservation, ReservationResult, Window } from "@tollgate/core/store";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case of the limiter suite. */
export interface LimiterContext extends OpenedWithDefaults<Limiter> {
  /** A subject that only this case uses. */
  readonly subject: string;
  count(window: Window): ReturnType<Limiter["countRequest"]>;
  /** A reservation of the subject with, unless overridden, a lease of one minute. */
  reservation(overrides: Partial<Reservation>): Reservation;
  reserve(overrides: Partial<Reservation>): Promise<ReservationResult>;
}

/** Creates the context of a case with a new subject. */
export function limiterContext(opened: OpenedWithDefaults<Limiter>): LimiterContext {
  const subject = `key-${crypto.randomUUID()}`;
  const reservation = (overrides: Partial<Reservation>): Reservation => ({
    id: crypto.randomUUID(),
    subject,
    leaseMs: 60_000,
    ...overrides,
  });
  return {
    ...opened,
    subject,
    reservation,
    count: (window) => opened.store.countRequest(subject, window),
    reserve: async (overrides) => opened.store.reserve(reservation(overrides)),
  };
}

/** Returns the context with a new subject, for a case that is retried. */
export const withNewSubject = ({ store, peer, wait }: LimiterContext): LimiterContext =>
  limiterContext({ store, peer, wait });

/** An amount of tokens in a window of, by default, one minute. */
export function tokensOf(amount: number, limit: number, windowSeconds = 60): NonNullable<Reservation["tokens"]> {
  return { amount, window: { limit, windowSeconds } };
}

/** The `Retry-After` of a refusal in milliseconds, as the gateway computes it. */
export function retryAfterMs(state: { readonly resetAt: number; readonly now: number }): number {
  return 1_000 * Math.max(1, Math.ceil((state.resetAt - state.now) / 1_000));
}
