import { memoryLimiter } from "@tollgate/core";
import type { Awaitable } from "@tollgate/core/internal";
import type { Limiter, Reservation, ReservationResult, Window } from "@tollgate/core/store";

/**
 * This process's share of every limit, counted in memory: the limit divided by the number of processes, rounded up.
 */
export class LocalShare {
  readonly #limiter = memoryLimiter();
  readonly #processes: number;
  readonly #localOnly = new WeakSet<Reservation>();

  constructor(processes: number) {
    this.#processes = processes;
  }

  countRequest(subject: string, window: Window): ReturnType<Limiter["countRequest"]> {
    return this.#limiter.countRequest(subject, this.#shareOf(window));
  }

  /** Reserves from this process's share. `localOnly` means that Redis has not received the reservation. */
  async reserve(reservation: Reservation, localOnly: boolean): Promise<ReservationResult> {
    const { concurrency } = reservation;
    const result = await this.#limiter.reserve({
      ...this.#withShare(reservation),
      concurrency: concurrency && this.#share(concurrency),
    });
    if (localOnly && result.granted) this.#localOnly.add(reservation);
    return result;
  }

  /** Tells whether Redis does not know a running reservation. */
  isLocalOnly(reservation: Reservation): boolean {
    return this.#localOnly.has(reservation);
  }

  /** Settles the local reservation, if there is one. Returns true when Redis does not know it. */
  async settle(reservation: Reservation, tokensUsed: number): Promise<boolean> {
    await this.#limiter.settle(this.#withShare(reservation), tokensUsed);
    return this.#localOnly.delete(reservation);
  }

  renew(reservations: readonly Reservation[]): Awaitable<void> {
    return this.#limiter.renew(reservations);
  }

  #withShare(reservation: Reservation): Reservation {
    const { tokens } = reservation;
    return { ...reservation, tokens: tokens && { amount: tokens.amount, window: this.#shareOf(tokens.window) } };
  }

  #shareOf({ limit, windowSeconds }: Window): Window {
    return { limit: this.#share(limit), windowSeconds };
  }

  #share(limit: number): number {
    return Math.ceil(limit / this.#processes);
  }
}
