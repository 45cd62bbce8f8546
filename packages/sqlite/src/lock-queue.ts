import type { Awaitable } from "@tollgate/core/internal";
import { HostTransactionError, isBusy } from "./sqlite-errors.ts";

/** How long a call waits for the lock of another connection, or for a transaction of the host, before it throws. */
export const longestWaitMs = 5_000;

interface Waiting {
  readonly deadline: number;
  /** Runs the step and resolves the caller's promise. Throws when the step throws. */
  readonly attempt: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs steps that need a lock of the database, or no transaction of the host: synchronously when it is free, otherwise in the order of arrival with
 * short asynchronous waits between attempts. Only the first step of the queue is attempted, since each attempt blocks.
 */
export class LockQueue {
  readonly #queue: Waiting[] = [];

  run<T>(step: () => T): Awaitable<T> {
    if (this.#queue.length > 0) return this.#enqueue(step);
    try {
      return step();
    } catch (error) {
      if (isBusy(error)) return this.#enqueue(step);
      throw error;
    }
  }

  #enqueue<T>(step: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      // Not the wall clock, which can be set while a step waits.
      const deadline = performance.now() + longestWaitMs;
      this.#queue.push({ deadline, attempt: () => resolve(step()), reject });
      if (this.#queue.length === 1) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    await shortWait();
    while (this.#queue.length > 0) await (this.#serveFirst() ? nextTurn() : shortWait());
  }

  /** Returns false when the lock is still taken. */
  #serveFirst(): boolean {
    const [first] = this.#queue;
    try {
      first?.attempt();
    } catch (error) {
      if (isBusy(error)) {
        this.#rejectOverdue(error);
        return false;
      }
      first?.reject(error);
    }
    this.#queue.shift();
    return true;
  }

  #rejectOverdue(cause: unknown): void {
    const now = performance.now();
    while (this.#queue[0] !== undefined && this.#queue[0].deadline <= now) {
      const blocked = cause instanceof HostTransactionError ? blockedByHost : blockedByOther;
      this.#queue.shift()?.reject(new Error(blocked, { cause }));
    }
  }
}

const blockedByOther = `Another connection has locked the SQLite database for ${longestWaitMs} ms, so nothing was done. Look for a process that keeps a write transaction open, then try again.`;

const blockedByHost = `A transaction that the store did not begin has been open on its connection for ${longestWaitMs} ms, so nothing was done. Begin and commit it without an await in between, then try again.`;

function shortWait(): Promise<void> {
  // Random, so that waiting processes do not collide on every attempt.
  return new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 9));
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
