import type { PostgresPool } from "@tollgate/postgres";
import { interceptedPool } from "../../../packages/postgres/test-support/intercepted-pool.ts";
import { gate } from "../../../packages/postgres/test-support/watched-pool.ts";

/** The pools of a process that stops before one of its statements: for ever, as if it was killed, or until it is resumed. */
export class StoppedMover {
  readonly #at: number;
  readonly #ending: "killed" | "suspended";
  readonly #reached = gate();
  readonly #resumed = gate();
  #statements = Number.NEGATIVE_INFINITY;

  constructor(at: number, ending: "killed" | "suspended") {
    this.#at = at;
    this.#ending = ending;
  }

  /** Resolves when it has stopped. */
  get stopped(): Promise<void> {
    return this.#reached.opened;
  }

  wrap(pool: PostgresPool): PostgresPool {
    return interceptedPool(pool, async (_statement, run) => {
      if (++this.#statements < this.#at) return run();
      this.#reached.open();
      if (this.#ending === "killed") throw new Error("The process was killed.");
      await this.#resumed.opened;
      return run();
    });
  }

  /** Counts the statements from now on. */
  arm(): void {
    this.#statements = 0;
  }

  resume(): void {
    this.#resumed.open();
  }
}
