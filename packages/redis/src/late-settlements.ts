import type { Reservation } from "@tollgate/core/store";

const mostWaiting = 10_000;

/**
 * Settlements that Redis could not take, until it can. The first 10,000 of an outage wait: those that come later are
 * mostly of requests that Redis never knew, and a lost one costs a place until its lease ends, and tokens until their
 * window does.
 */
export class LateSettlements {
  readonly #settle: (reservation: Reservation, tokensUsed: number) => Promise<boolean>;
  readonly #waiting = new Map<string, { readonly reservation: Reservation; readonly tokensUsed: number }>();
  #draining = false;

  /** `settle` makes one settlement, and gives false when that failed. */
  constructor(settle: (reservation: Reservation, tokensUsed: number) => Promise<boolean>) {
    this.#settle = settle;
  }

  add(reservation: Reservation, tokensUsed: number): void {
    // The place may be freed before the tokens are known; the two settlements of one reservation both wait.
    const name = reservation.tokens === undefined ? `${reservation.id} place` : reservation.id;
    if (this.#waiting.size >= mostWaiting || this.#waiting.has(name)) return;
    this.#waiting.set(name, { reservation, tokensUsed });
  }

  /** Begins to make those that wait. */
  drain(): void {
    if (!this.#draining && this.#waiting.size > 0) void this.#drainAll();
  }

  async #drainAll(): Promise<void> {
    this.#draining = true;
    // One after another, so as not to get in the way of requests, and until one fails.
    for (const [name, { reservation, tokensUsed }] of this.#waiting) {
      if (!(await this.#settle(reservation, tokensUsed))) break;
      this.#waiting.delete(name);
    }
    this.#draining = false;
  }
}
