import * as v from "valibot";
import { describeError } from "../errors/describe-error.ts";
import { port, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { GatewayEvent, Observer } from "../ports/observer.ts";
import type { UsageRow, UsageStore } from "../ports/usage-store.ts";
import { after, every, withinTime } from "../runtime/timers.ts";
import { usageRowOf } from "./usage-row.ts";

const batchSize = 500;
const batchMs = 1_000;
const maxRows = 100_000;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** After this time the batch is sent again, which is safe since the store skips rows that it has. */
const storeTimeoutMs = 30_000;

/**
 * Records the usage of requests off their path: in batches of 500 rows, or once a second. It makes one call of the store
 * at a time and repeats it until it succeeds, with a pause of up to 10 s. Of more than 100,000 rows, the oldest are dropped.
 */
export class UsageRecorder {
  readonly store: UsageStore;
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

  constructor({ store, retentionDays = 90 }: UsageOptions, observe: Observer) {
    this.store = store;
    this.#observe = observe;
    this.#pruning = new UsagePruning(store, retentionDays, (cause) => this.#reportDelay("prune", cause));
  }

  /** The number of rows that are not recorded yet. */
  get pending(): number {
    return this.#waiting.length + this.#batch.length;
  }

  /** Returns the upstream cost of the rows since a time that are not recorded yet, in nano-units. */
  upstreamCostSince(startsAt: number): bigint {
    const rows = [...this.#batch, ...this.#waiting].filter(({ at }) => at.getTime() >= startsAt);
    return rows.reduce((sum, { upstreamCost = 0n }) => sum + upstreamCost, 0n);
  }

  /** The number of rows that were dropped because too many were waiting. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the newest row of an account, by its request id or the id of its answer, of those that are not recorded yet. */
  find(account: string, id: string): UsageRow | undefined {
    let newest: UsageRow | undefined;
    for (const rows of [this.#batch, this.#waiting]) {
      for (const row of rows) {
        if (row.account !== account || (row.requestId !== id && row.answerId !== id)) continue;
        if (newest === undefined || row.at >= newest.at) newest = row;
      }
    }
    return newest;
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
      await withinTime(Promise.resolve(this.store.record(this.#batch)), storeTimeoutMs);
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

const dayMs = 86_400_000;
const checkMs = 600_000;
const pauseMs = 50;

/** Removes the rows of a usage store that are older than the retention: ten minutes after the start, and then daily. */
class UsagePruning {
  readonly #store: UsageStore;
  readonly #retentionDays: number;
  readonly #onFailure: (cause: unknown) => void;
  #dueAt = 0;
  #running = false;
  #cancel: (() => void) | undefined;

  constructor(store: UsageStore, retentionDays: number, onFailure: (cause: unknown) => void) {
    this.#store = store;
    this.#retentionDays = retentionDays;
    this.#onFailure = onFailure;
  }

  /** Starts the timer, which does not keep the process alive. Idempotent. */
  start(): void {
    this.#cancel ??= every(checkMs, () => void this.#prune());
  }

  /** Ends the timer, until the next start. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** A failure is retried at the next check. */
  async #prune(): Promise<void> {
    if (this.#running || Date.now() < this.#dueAt) return;
    this.#running = true;
    try {
      const before = new Date(Date.now() - this.#retentionDays * dayMs);
      while ((await this.#store.prune(before)) > 0) await pause();
      this.#dueAt = Date.now() + dayMs;
    } catch (cause) {
      this.#onFailure(cause);
    } finally {
      this.#running = false;
    }
  }
}

/** Leaves the store time for other calls. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    after(pauseMs, resolve);
  });
}

/** Where the usage of requests is recorded. */
export interface UsageOptions {
  readonly store: UsageStore;
  /** How long rows are kept, in days; 90. Totals are kept. */
  readonly retentionDays?: number;
}

/** The schema of {@link UsageOptions}. */
export const usageSchema = optionMembers("the option `usage`", {
  store: port<UsageStore>("a UsageStore", ["record", "summary", "attempts", "list", "prune"], "memoryUsageStore()"),
  retentionDays: v.exactOptional(wholeNumber()),
});
