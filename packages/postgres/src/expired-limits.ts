import type { Database } from "./database.ts";
import { removeExpiredLimitsStatement } from "./statements/limits.ts";

const batchSize = 1_000;
const intervalMs = 60_000;

/** Removes expired rows of the limiter once a minute, in the background of calls, so that an idle process needs no timer. */
export class ExpiredLimits {
  readonly #database: Database;
  #nextAt = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Removes one batch unless another was removed a moment ago. After a full batch, the next call removes another. */
  removeIfDue(): void {
    const now = performance.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + intervalMs;
    void this.#remove();
  }

  async #remove(): Promise<void> {
    try {
      const row = await this.#database.runForOne(removeExpiredLimitsStatement, [batchSize]);
      if (Number(row.text("removed")) === batchSize) this.#nextAt = 0;
    } catch {
      // Expired rows do not count, so they can wait for the next time.
    }
  }
}
