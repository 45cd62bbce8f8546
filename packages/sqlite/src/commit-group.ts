import type { Awaitable } from "@tollgate/core/internal";

/** Runs a step in a transaction of its own. */
type Transact = <T>(step: () => T) => Awaitable<T>;

/** A step that waits for its transaction. */
interface Member {
  /** Does the step, and gives back what tells its caller, to be called when it is durable. */
  readonly run: () => () => void;
  readonly reject: (cause: unknown) => void;
}

/** So many small steps keep the event loop, and other processes, waiting for some milliseconds. */
const largestGroup = 100;

/**
 * Steps that come in one turn of the event loop share one transaction, and with it one flush to the disk, which costs
 * more than all else. When one of them throws, nothing was done, and each is done by itself.
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
      const group = this.#waiting.splice(0, largestGroup);
      if (this.#waiting.length > 0) this.#commitSoon();
      void this.#commit(group);
    });
  }

  async #commit(group: readonly Member[]): Promise<void> {
    let stepFailed = false;
    const runAll = () => {
      stepFailed = true;
      const answers = group.map(({ run }) => run());
      stepFailed = false;
      return answers;
    };
    try {
      for (const answer of await this.#transact(runAll)) answer();
    } catch (error) {
      if (stepFailed && group.length > 1) await Promise.all(group.map((member) => this.#commit([member])));
      else for (const { reject } of group) reject(error);
    }
  }
}
