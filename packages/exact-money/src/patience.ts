import { requireTrue } from "./check.ts";

/** Waits for what a gateway does in its own time. */
export interface Patience {
  /** Asks again until the check no longer throws. Rejects with its last error when the patience of the suite has ended. */
  eventually<Result>(check: () => Promise<Result> | Result): Promise<Result>;
  /** Waits until a condition is true. */
  until(condition: () => boolean, problem: () => string): Promise<void>;
}

/** Makes a patience of milliseconds. */
export function patienceOf(milliseconds: number): Patience {
  async function eventually<Result>(check: () => Promise<Result> | Result): Promise<Result> {
    const endsAt = Date.now() + milliseconds;
    for (let waitMs = 5; ; waitMs = Math.min(100, waitMs * 2)) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > endsAt) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return {
    eventually,
    until: (condition, problem) => eventually(() => requireTrue(condition(), condition() ? "" : problem())),
  };
}
