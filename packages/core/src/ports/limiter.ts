import type { Awaitable } from "../runtime/awaitable.ts";

/** The state of a limit. Times are in milliseconds since the Unix epoch, of the limiter's own clock. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  readonly now: number;
}

/** A limit per window. Whole numbers, without defaults. */
export interface Window {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The tokens and the concurrency slot that one request reserves in the limits of its key. */
export interface Reservation {
  /** A UUID, which the gateway creates. */
  readonly id: string;
  /** The id by which the limits of a verified key are counted. */
  readonly subject: string;
  /** Estimated tokens, at most the limit; undefined: tokens are not limited. */
  readonly tokens?: { readonly amount: number; readonly window: Window } | undefined;
  /** Maximum concurrent requests; undefined: not limited. */
  readonly concurrency?: number | undefined;
  /** After this many milliseconds without renewal, the slot is free again. */
  readonly leaseMs: number;
}

/**
 * The result of {@link Limiter.reserve}. A refusal names the limit and has consumed nothing; after `resetAt` of its state, the
 * same reservation alone is granted.
 */
export type ReservationResult =
  | { readonly granted: true }
  | {
      readonly granted: false;
      readonly refusedBy: "tokens" | "concurrency";
      readonly state: LimitState;
    };

/**
 * Port: counts the use of keys. It is exact for all processes that share a limiter, on its own clock. A method throws only
 * for an outage of its store.
 */
export interface Limiter {
  /** Takes one request from the window of `subject`, or refuses it if the limit is reached. */
  countRequest(subject: string, window: Window): Awaitable<{ readonly granted: boolean; readonly state: LimitState }>;
  /** Reserves tokens and a concurrency slot in one atomic step, both or neither. */
  reserve(reservation: Reservation): Awaitable<ReservationResult>;
  /**
   * Releases the slot, and replaces the reserved tokens with those used. Unused tokens are refunded only to the window that
   * was charged. Tokens used beyond the reservation are added to the window that is open now, also if the other has ended
   * (within an hour at least); what exceeds its limit is carried into the windows after it, until it is paid off. Idempotent by id. Without `tokens` in the reservation it only releases the slot; a later call with them corrects the tokens.
   */
  settle(reservation: Reservation, tokensUsed: number): Awaitable<void>;
  /** Extends the leases of the slots of running reservations. */
  renew(reservations: readonly Reservation[]): Awaitable<void>;
}
