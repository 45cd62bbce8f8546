import type { Awaitable } from "@tollgate/core/internal";
import { isBusy } from "./sqlite-errors.ts";

/** How long a verb waits for another connection's lock before it throws. */
export const longestWaitMs = 5_000;

interface Waiting {
  readonly until: number;
  /** Tries, and answers the caller; throws when it could not. */
  readonly attempt: () => void;
  readonly giveUp: (error: unknown) => void;
}

/**
 * Runs steps that need a lock of the database: at once when it is free, else in the order they came, with short waits
 * between the attempts that leave the event loop to others. Only the first in line tries, since each attempt blocks.
 */
export class LockQueue {
  readonly #line: Waiting[] = [];

  run<T>(step: () => T): Awaitable<T> {
    if (this.#line.length > 0) return this.#join(step);
    try {
      return step();
    } catch (error) {
      if (isBusy(error)) return this.#join(step);
      throw error;
    }
  }

  #join<T>(step: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      // Not the wall clock, which may be set while one waits.
      const until = performance.now() + longestWaitMs;
      this.#line.push({ until, attempt: () => resolve(step()), giveUp: reject });
      if (this.#line.length === 1) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    await shortWait();
    while (this.#line.length > 0) await (this.#serveFirst() ? nextTurn() : shortWait());
  }

  /** False when the lock is still taken. */
  #serveFirst(): boolean {
    const [first] = this.#line;
    try {
      first?.attempt();
    } catch (error) {
      if (isBusy(error)) {
        this.#giveUpLate(error);
        return false;
      }
      first?.giveUp(error);
    }
    this.#line.shift();
    return true;
  }

  #giveUpLate(cause: unknown): void {
    const now = performance.now();
    while (this.#line[0] !== undefined && this.#line[0].until <= now) {
      this.#line
        .shift()
        ?.giveUp(
          new Error(
            `Another connection has locked the SQLite database for ${longestWaitMs} ms, so nothing was done. Look for a process that keeps a write transaction open, then try again.`,
            { cause },
          ),
        );
    }
  }
}

function shortWait(): Promise<void> {
  // Of random length, so that waiting processes do not meet again and again.
  return new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 9));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
