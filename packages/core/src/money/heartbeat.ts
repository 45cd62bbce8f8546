import { describeError } from "../errors/describe-error.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { Observer } from "../ports/observer.ts";
import { after, withinTime } from "../runtime/timers.ts";
import type { RunningHolds } from "./running-holds.ts";

/** How long a beat and the store may take, in milliseconds. */
export interface HeartbeatTimes {
  readonly heartbeatMs: number;
  readonly storeTimeoutMs: number;
}

/** A beat ends the holds of so many batches at most, so that the leases of those that live are not kept waiting. */
const mostSweeps = 20;

/**
 * Renews what runs here and sweeps up the holds of processes that died, one beat after the other, from the first
 * request to the end of a drain, also while nothing runs. A beat that failed is told of and made up for sooner.
 */
export class Heartbeat {
  readonly #running: RunningHolds;
  readonly #balances: BalanceStore;
  readonly #observe: Observer;
  readonly #times: HeartbeatTimes;
  #state: "new" | "beating" | "stopped" = "new";
  #callOff: () => void = () => undefined;

  constructor(running: RunningHolds, balances: BalanceStore, observe: Observer, times: HeartbeatTimes) {
    this.#running = running;
    this.#balances = balances;
    this.#observe = observe;
    this.#times = times;
  }

  /** Idempotent. The first beat comes at a random time of its period: processes that start together do not sweep together. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "beating";
    this.#next(this.#times.heartbeatMs * Math.random());
  }

  /** Ends it for good. */
  stop(): void {
    this.#state = "stopped";
    this.#callOff();
  }

  #next(milliseconds: number): void {
    if (this.#state === "beating") this.#callOff = after(milliseconds, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const renewed = await Promise.all([
      this.#attempt("renew", () => this.#running.renewHolds()),
      this.#attempt("limits", () => this.#running.renewPlaces()),
    ]);
    // Last, so that a process that stood still renews its own holds before it ends those that nobody renewed.
    const swept = await this.#sweep();
    const { heartbeatMs } = this.#times;
    const failed = !swept || renewed.includes(false);
    this.#next((failed ? heartbeatMs / 4 : heartbeatMs) * (0.9 + 0.2 * Math.random()));
  }

  async #sweep(): Promise<boolean> {
    const endsAt = Date.now() + this.#times.heartbeatMs / 4;
    let ended = 0;
    const sweep = async () => {
      ended = await this.#balances.expire();
      if (!(ended >= 0)) throw new Error("`expire` of the balance store must give a number.");
    };
    for (let sweeps = 0; sweeps < mostSweeps && Date.now() <= endsAt; sweeps++) {
      if (!(await this.#attempt("sweep", sweep))) return false;
      if (ended === 0) return true;
    }
    return true;
  }

  async #attempt(part: "renew" | "limits" | "sweep", act: () => Promise<void>): Promise<boolean> {
    try {
      await withinTime(act(), this.#times.storeTimeoutMs);
      return true;
    } catch (failure) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part, cause: describeError(failure) });
      return false;
    }
  }
}
