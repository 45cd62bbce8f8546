import { describeError } from "../errors/describe-error.ts";
import type { Observer } from "../ports/observer.ts";
import { type ExpiringStore, removeExpired, sweepIntervalMs } from "../runtime/remove-expired.ts";
import { after } from "../runtime/timers.ts";
import type { Background } from "./heartbeat.ts";

/** Removes expired responses about every ten minutes, from the first request to the end of a drain. */
export class ResponseSweep implements Background {
  readonly #store: ExpiringStore;
  readonly #observe: Observer;
  readonly #storeTimeoutMs: number;
  #state: "new" | "sweeping" | "stopped" = "new";
  #cancelTimer: () => void = () => undefined;

  constructor(store: ExpiringStore, observe: Observer, storeTimeoutMs: number) {
    this.#store = store;
    this.#observe = observe;
    this.#storeTimeoutMs = storeTimeoutMs;
  }

  /** Starts to sweep. Idempotent. The first sweep has a random delay, so that processes sweep at different times. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "sweeping";
    this.#schedule(sweepIntervalMs * Math.random());
  }

  /** Stops for good. */
  stop(): void {
    this.#state = "stopped";
    this.#cancelTimer();
  }

  #schedule(milliseconds: number): void {
    if (this.#state === "sweeping") this.#cancelTimer = after(milliseconds, () => void this.#sweep());
  }

  async #sweep(): Promise<void> {
    try {
      await removeExpired(this.#store, this.#storeTimeoutMs, () => this.#state === "sweeping");
    } catch (failure) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part: "responses", cause: describeError(failure) });
    }
    this.#schedule(sweepIntervalMs * (0.9 + 0.2 * Math.random()));
  }
}
