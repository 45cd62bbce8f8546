import type { Awaitable } from "../runtime/awaitable.ts";

/** Where a limit stands, all times milliseconds of the limiter's own clock since the Unix epoch. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  readonly now: number;
}

/** A window limit with nothing left to default: whole numbers, the window in seconds. */
export interface Window {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What one request takes from its key's limits for as long as it runs. */
export interface Reservation {
  /** A UUID made by the server. */
  readonly id: string;
  /** Whose limits they are: the id of a verified key. */
  readonly subject: string;
  /** Tokens estimated, at most the limit; undefined: tokens are not limited. */
  readonly tokens?: { readonly amount: number; readonly window: Window } | undefined;
  /** How many may run at once; undefined: not limited. */
  readonly concurrency?: number | undefined;
  /** After this many milliseconds without a renewal the place is free again. */
  readonly leaseMs: number;
}

/** The outcome of {@link Limiter.reserve}. A refusal says which limit refused and has consumed nothing. */
export type ReservationResult =
  | { readonly granted: true }
  | {
      readonly granted: false;
      readonly refusedBy: "tokens" | "concurrency";
      readonly state: LimitState;
    };

/**
 * Port: counts what keys use. Exact for all processes that share one limiter, on its own clock.
 *
 * `countRequest` takes one request from the window of `subject`; over the limit it is refused. `reserve`
 * takes tokens and a place in one step, all or nothing. `settle` frees the place and corrects the tokens to what was
 * really used, in the window that was charged and in no later one; it is idempotent by id. Given the reservation without
 * its `tokens`, it frees the place alone, and a later call with them corrects the tokens. `renew` keeps the places of
 * running reservations. None throws except for an outage of its store.
 */
export interface Limiter {
  countRequest(subject: string, window: Window): Awaitable<{ readonly granted: boolean; readonly state: LimitState }>;
  reserve(reservation: Reservation): Awaitable<ReservationResult>;
  settle(reservation: Reservation, tokensUsed: number): Awaitable<void>;
  renew(reservations: readonly Reservation[]): Awaitable<void>;
}
