import type { Awaitable } from "@tollgate/core/internal";

/** Runs a step in its own transaction. */
type Transact = <T>(step: () => T) => Awaitable<T>;

/** A step that waits for the transaction of its group. */
interface Member {
  /** Runs the step and returns a function that resolves the caller's promise; it is called after the commit. */
  readonly run: () => () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Bounds how long one transaction blocks the event loop and other processes: about this many small steps take a few
 * milliseconds.
 */
const maxGroupSize = 100;

/**
 * Steps queued in one turn of the event loop share one transaction and so one flush to disk, the most expensive part.
 * When a step throws, the transaction is rolled back and each step runs again in its own transaction.
 */
export class CommitGroup {
  readonly #transact: Transact;
  #waiting: Member[] = [];

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** Resolves when the step is durable. */
  join<T>(step: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        const result = step();
        return () => resolve(result);
      };
      if (this.#waiting.push({ run, reject }) === 1) this.#commitSoon();
    });
  }

  #commitSoon(): void {
    setImmediate(() => {
      const group = this.#waiting.splice(0, maxGroupSize);
      if (this.#waiting.length > 0) this.#commitSoon();
      void this.#commit(group);
    });
  }

  async #commit(group: readonly Member[]): Promise<void> {
    let stepFailed = false;
    const runAll = () => {
      stepFailed = true;
      const resolvers = group.map(({ run }) => run());
      stepFailed = false;
      return resolvers;
    };
    try {
      for (const resolve of await this.#transact(runAll)) resolve();
    } catch (error) {
      if (stepFailed && group.length > 1) await Promise.all(group.map((member) => this.#commit([member])));
      else for (const { reject } of group) reject(error);
    }
  }
}
