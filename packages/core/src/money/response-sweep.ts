import { describeError } from "../errors/describe-error.ts";
import type { Observer } from "../ports/observer.ts";
import type { ResponseStore } from "../ports/response-store.ts";
import { after, withinTime } from "../runtime/timers.ts";
import type { Background } from "./heartbeat.ts";

const intervalMs = 600_000;
const maxCalls = 100;

/** Removes expired responses about every ten minutes, from the first request to the end of a drain. */
export class ResponseSweep implements Background {
  readonly #store: Pick<ResponseStore, "expire">;
  readonly #observe: Observer;
  readonly #storeTimeoutMs: number;
  #state: "new" | "sweeping" | "stopped" = "new";
  #cancelTimer: () => void = () => undefined;

  constructor(store: Pick<ResponseStore, "expire">, observe: Observer, storeTimeoutMs: number) {
    this.#store = store;
    this.#observe = observe;
    this.#storeTimeoutMs = storeTimeoutMs;
  }

  /** Starts to sweep. Idempotent. The first sweep has a random delay, so that processes sweep at different times. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "sweeping";
    this.#schedule(intervalMs * Math.random());
  }

  /** Stops for good. */
  stop(): void {
    this.#state = "stopped";
    this.#cancelTimer();
  }

  #schedule(milliseconds: number): void {
    if (this.#state === "sweeping") this.#cancelTimer = after(milliseconds, () => void this.#sweep());
  }

  /** Each call removes a batch, and returns 0 when no expired response is left. */
  async #sweep(): Promise<void> {
    try {
      for (let calls = 0; calls < maxCalls && this.#state === "sweeping"; calls++) {
        const call = async () => this.#store.expire();
        if (!((await withinTime(call(), this.#storeTimeoutMs)) > 0)) break;
      }
    } catch (failure) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part: "responses", cause: describeError(failure) });
    }
    this.#schedule(intervalMs * (0.9 + 0.2 * Math.random()));
  }
}
