import type { UsageStore } from "../ports/usage-store.ts";
import { after, every } from "../runtime/timers.ts";

const dayMs = 86_400_000;
const checkMs = 600_000;
const pauseMs = 50;

/** Removes the rows of a usage store that are older than the retention: ten minutes after the start, and then daily. */
export class UsagePruning {
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
