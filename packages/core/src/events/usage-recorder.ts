import { describeError } from "../errors/describe-error.ts";
import type { GatewayEvent, Observer } from "../ports/observer.ts";
import type { UsageRow, UsageStore } from "../ports/usage-store.ts";
import { after, withinTime } from "../runtime/timers.ts";
import type { UsageOptions } from "./usage-options.ts";
import { UsagePruning } from "./usage-pruning.ts";
import { usageRowOf } from "./usage-row.ts";

const batchSize = 500;
const batchMs = 1_000;
const maxRows = 100_000;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** After this time the batch is sent again, which is safe since the store skips rows that it has. */
const storeTimeoutMs = 30_000;

/** What a recorder needs. */
export interface UsageRecorderOptions extends UsageOptions {
  readonly observe: Observer;
}

/**
 * Records the usage of requests off their path: in batches of 500 rows, or once a second. It makes one call of the store
 * at a time and repeats it until it succeeds, with a pause of up to 10 s. Of more than 100,000 rows, the oldest are dropped.
 */
export class UsageRecorder {
  readonly #store: UsageStore;
  readonly #observe: Observer;
  readonly #pruning: UsagePruning;
  /** From the oldest. */
  #waiting: UsageRow[] = [];
  #batch: readonly UsageRow[] = [];
  #dropped = 0;
  #sending = false;
  #isFlushing = false;
  #pauseMs = firstPauseMs;
  #cancelTimer: (() => void) | undefined;
  #onIdle: (() => void)[] = [];

  constructor({ store, retentionDays = 90, observe }: UsageRecorderOptions) {
    this.#store = store;
    this.#observe = observe;
    this.#pruning = new UsagePruning(store, retentionDays, (cause) => this.#reportDelay("prune", cause));
  }

  /** The number of rows that are not recorded yet. */
  get pending(): number {
    return this.#waiting.length + this.#batch.length;
  }

  /** The number of rows that were dropped because too many were waiting. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes an event. Every end event of a request with a key at an endpoint that calls models becomes a row. */
  readonly take = (event: GatewayEvent): void => {
    const row = usageRowOf(event);
    if (row === undefined) return;
    this.#pruning.start();
    if (this.pending >= maxRows) this.#drop();
    this.#waiting.push(row);
    if (this.#sending || this.#cancelTimer !== undefined) {
      // A batch that failed waits for its pause.
      if (this.#waiting.length === batchSize && this.#batch.length === 0) this.#sendIn(0);
    } else this.#sendIn(this.#isFlushing ? 0 : batchMs);
  };

  /** Sends all rows without a wait, and resolves when they are recorded. Rows of later requests are sent at once too. */
  flush(): Promise<void> {
    this.#isFlushing = true;
    if (this.pending === 0) return Promise.resolve();
    if (!this.#sending) this.#sendIn(0);
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  /** Stops the removal of old rows. Rows that wait are still sent. */
  stop(): void {
    this.#pruning.stop();
  }

  #sendIn(milliseconds: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = after(milliseconds, () => {
      this.#cancelTimer = undefined;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    if (this.#batch.length === 0) this.#batch = this.#waiting.splice(0, batchSize);
    this.#sending = true;
    const recorded = await this.#record();
    this.#sending = false;
    if (recorded) {
      this.#batch = [];
      this.#pauseMs = firstPauseMs;
    }
    if (this.pending === 0) this.#reportIdle();
    else this.#sendIn(this.#nextPause(recorded));
  }

  #nextPause(recorded: boolean): number {
    if (recorded) return this.#isFlushing || this.#waiting.length >= batchSize ? 0 : batchMs;
    const pauseMs = this.#pauseMs * (0.75 + 0.5 * Math.random());
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    return pauseMs;
  }

  /** Resolves to true if the store has the batch. */
  async #record(): Promise<boolean> {
    try {
      await withinTime(Promise.resolve(this.#store.record(this.#batch)), storeTimeoutMs);
      return true;
    } catch (cause) {
      this.#reportDelay("record", cause);
      return false;
    }
  }

  /** Drops many rows at once, since each removal from the front moves all others. */
  #drop(): void {
    const count = this.#waiting.splice(0, batchSize).length;
    this.#dropped += count;
    this.#observe({ type: "usage.dropped", at: Date.now(), count });
  }

  #reportDelay(part: "record" | "prune", cause: unknown): void {
    const error = describeError(cause);
    this.#observe({ type: "usage.delayed", at: Date.now(), part, waiting: this.pending, cause: error });
  }

  #reportIdle(): void {
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
