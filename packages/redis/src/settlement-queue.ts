import type { Reservation } from "@tollgate/core/store";

const maxQueued = 10_000;

/**
 * Queues the settlements that fail during an outage of Redis. It keeps the first 10,000: later ones mostly belong to
 * requests that Redis does not know, and a dropped one costs a place until its lease expires and tokens until their
 * window ends.
 */
export class SettlementQueue {
  readonly #settle: (reservation: Reservation, tokensUsed: number) => Promise<boolean>;
  readonly #queue = new Map<string, { readonly reservation: Reservation; readonly tokensUsed: number }>();
  #draining = false;

  /** `settle` runs one settlement and returns false when it failed. */
  constructor(settle: (reservation: Reservation, tokensUsed: number) => Promise<boolean>) {
    this.#settle = settle;
  }

  add(reservation: Reservation, tokensUsed: number): void {
    // The place can be released before the tokens are known, so one reservation can have two settlements.
    const name = reservation.tokens === undefined ? `${reservation.id} place` : reservation.id;
    if (this.#queue.size >= maxQueued || this.#queue.has(name)) return;
    this.#queue.set(name, { reservation, tokensUsed });
  }

  /** Starts to run the queued settlements. */
  drain(): void {
    if (!this.#draining && this.#queue.size > 0) void this.#drainAll();
  }

  async #drainAll(): Promise<void> {
    this.#draining = true;
    // One at a time, so that requests are not delayed, and until one fails.
    for (const [name, { reservation, tokensUsed }] of this.#queue) {
      if (!(await this.#settle(reservation, tokensUsed))) break;
      this.#queue.delete(name);
    }
    this.#draining = false;
  }
}
