import { memoryLimiter } from "@tollgate/core";
import type { Awaitable } from "@tollgate/core/internal";
import type { Limiter, Reservation, ReservationResult, Window } from "@tollgate/core/store";

/**
 * This process's share of every limit, counted in its memory: the limit divided by the number of processes, rounded up.
 */
export class LocalShare {
  readonly #limiter = memoryLimiter();
  readonly #processes: number;
  readonly #onlyHere = new WeakSet<Reservation>();

  constructor(processes: number) {
    this.#processes = processes;
  }

  countRequest(subject: string, window: Window): ReturnType<Limiter["countRequest"]> {
    return this.#limiter.countRequest(subject, this.#shareOf(window));
  }

  /** Takes a share of what is wanted; `onlyHere` says that Redis was not asked for it. */
  async reserve(reservation: Reservation, onlyHere: boolean): Promise<ReservationResult> {
    const { tokens, concurrency } = reservation;
    const result = await this.#limiter.reserve({
      ...reservation,
      tokens: tokens && { amount: tokens.amount, window: this.#shareOf(tokens.window) },
      concurrency: concurrency && this.#share(concurrency),
    });
    if (onlyHere && result.granted) this.#onlyHere.add(reservation);
    return result;
  }

  /** True for a running reservation that Redis knows nothing of. */
  isOnlyHere(reservation: Reservation): boolean {
    return this.#onlyHere.has(reservation);
  }

  /** Settles what was taken here, if anything was; true when Redis knows nothing of it. */
  async settle(reservation: Reservation, tokensUsed: number): Promise<boolean> {
    await this.#limiter.settle(reservation, tokensUsed);
    return this.#onlyHere.delete(reservation);
  }

  renew(reservations: readonly Reservation[]): Awaitable<void> {
    return this.#limiter.renew(reservations);
  }

  #shareOf({ limit, windowSeconds }: Window): Window {
    return { limit: this.#share(limit), windowSeconds };
  }

  #share(limit: number): number {
    return Math.ceil(limit / this.#processes);
  }
}
