import { describeError } from "../errors/describe-error.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { Observer } from "../ports/observer.ts";
import { after, withinTime } from "../runtime/timers.ts";
import type { RunningHolds } from "./running-holds.ts";

/** The period of the heartbeat and the timeout of a store, in milliseconds. */
export interface HeartbeatTimes {
  readonly heartbeatMs: number;
  readonly storeTimeoutMs: number;
}

/** The most batches of expired holds in one beat, so that the next renewal is not late. */
const maxSweeps = 20;

/**
 * Renews the holds of this process and expires those of crashed processes, in one beat at a time, from the first request
 * to the end of a drain, also while nothing runs. A beat that fails is reported, and the next one follows sooner.
 */
export class Heartbeat {
  readonly #running: RunningHolds;
  readonly #balances: BalanceStore;
  readonly #observe: Observer;
  readonly #times: HeartbeatTimes;
  #state: "new" | "beating" | "stopped" = "new";
  #cancelTimer: () => void = () => undefined;

  constructor(running: RunningHolds, balances: BalanceStore, observe: Observer, times: HeartbeatTimes) {
    this.#running = running;
    this.#balances = balances;
    this.#observe = observe;
    this.#times = times;
  }

  /** Starts the heartbeat. Idempotent. The first beat has a random delay, so that processes that start together sweep at different times. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "beating";
    this.#schedule(this.#times.heartbeatMs * Math.random());
  }

  /** Stops the heartbeat for good. */
  stop(): void {
    this.#state = "stopped";
    this.#cancelTimer();
  }

  #schedule(milliseconds: number): void {
    if (this.#state === "beating") this.#cancelTimer = after(milliseconds, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const renewed = await Promise.all([
      this.#attempt("renew", () => this.#running.renewHolds()),
      this.#attempt("limits", () => this.#running.renewPlaces()),
    ]);
    // After the renewal, so that a process that was suspended does not expire its own holds.
    const swept = await this.#sweep();
    const { heartbeatMs } = this.#times;
    const failed = !swept || renewed.includes(false);
    this.#schedule((failed ? heartbeatMs / 4 : heartbeatMs) * (0.9 + 0.2 * Math.random()));
  }

  async #sweep(): Promise<boolean> {
    const endsAt = Date.now() + this.#times.heartbeatMs / 4;
    let ended = 0;
    const sweep = async () => {
      ended = await this.#balances.expire();
      if (!(ended >= 0)) throw new Error("`expire` of the balance store must return a number.");
    };
    for (let sweeps = 0; sweeps < maxSweeps && Date.now() <= endsAt; sweeps++) {
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
