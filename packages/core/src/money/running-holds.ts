import { every } from "../interval.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { Limiter, Reservation } from "../ports/limiter.ts";
import { type Listed, Roster } from "../roster.ts";

/** What a running request keeps alive. */
export interface RunningHold extends Listed {
  readonly holdId: string | undefined;
  readonly reservation: Reservation | undefined;
  /** What it has cost so far, in nano-units. */
  used(): bigint;
}

/**
 * The heartbeat: renews the leases of all running requests in one call, each with what it has used so far, and
 * sweeps up the holds of processes that died. A beat that fails is made up for by the next.
 */
export class RunningHolds {
  readonly #balances: BalanceStore;
  readonly #limiter: Limiter;
  readonly #leaseMs: number;
  readonly #heartbeatMs: number;
  readonly #running = new Roster<RunningHold>();
  #stop: (() => void) | undefined;

  constructor(balances: BalanceStore, limiter: Limiter, leaseMs: number, heartbeatMs: number) {
    this.#balances = balances;
    this.#limiter = limiter;
    this.#leaseMs = leaseMs;
    this.#heartbeatMs = heartbeatMs;
  }

  add(hold: RunningHold): void {
    this.#running.add(hold);
    this.#stop ??= every(this.#heartbeatMs, () => void this.#beat());
  }

  delete(hold: RunningHold): void {
    this.#running.delete(hold);
  }

  /** Ends the heartbeat; the next request starts it again. */
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #beat(): Promise<void> {
    const running = this.#running.snapshot();
    const renewals = running.flatMap((hold) =>
      hold.holdId === undefined ? [] : [{ id: hold.holdId, used: hold.used() }],
    );
    const reservations = running.flatMap(({ reservation }) => (reservation === undefined ? [] : [reservation]));
    await Promise.allSettled([
      attempt(() => (renewals.length > 0 ? this.#balances.renew(renewals, this.#leaseMs) : [])),
      attempt(() => (reservations.length > 0 ? this.#limiter.renew(reservations) : undefined)),
    ]);
    await Promise.allSettled([attempt(() => this.#balances.expire())]);
  }
}

const attempt = async (beat: () => unknown): Promise<unknown> => beat();
