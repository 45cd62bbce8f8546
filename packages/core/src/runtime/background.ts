import type { Awaitable } from "./awaitable.ts";
import { after, withinTime } from "./timers.ts";

/** Work that is done again and again between requests. */
export interface RepeatedWork {
  /** The most milliseconds before the first run, which has a random delay, so that processes that start together run at different times. */
  readonly firstWithinMs: number;
  /** Runs once, and never rejects. Resolves to the milliseconds before the next run. `goesOn` returns false after a stop. */
  run(goesOn: () => boolean): Promise<number>;
}

/** The work that goes on between requests, from the first one to the end of a drain. It does not keep the process alive. */
export class Background {
  readonly #works: readonly RepeatedWork[];
  readonly #timers = new Map<RepeatedWork, () => void>();
  #state: "new" | "running" | "stopped" = "new";

  constructor(works: readonly RepeatedWork[]) {
    this.#works = works;
  }

  /** Starts all works. Idempotent. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    for (const work of this.#works) this.#schedule(work, work.firstWithinMs * Math.random());
  }

  /** Stops all works for good. A run that has begun finishes. */
  stop(): void {
    this.#state = "stopped";
    for (const cancel of this.#timers.values()) cancel();
  }

  #schedule(work: RepeatedWork, milliseconds: number): void {
    if (this.#state === "running")
      this.#timers.set(
        work,
        after(milliseconds, () => void this.#run(work)),
      );
  }

  async #run(work: RepeatedWork): Promise<void> {
    this.#schedule(work, await work.run(() => this.#state === "running"));
  }
}

/** Returns a time, give or take a tenth, so that processes do not work in step. */
export const aboutMs = (milliseconds: number): number => milliseconds * (0.9 + 0.2 * Math.random());

/** The time between two sweeps of a process, in milliseconds. */
export const sweepIntervalMs = 600_000;

const maxCalls = 100;

/**
 * Removes the expired entries of a store, of which each call removes a batch and returns 0 when none is left, in at most 100
 * calls of at most `timeoutMs` milliseconds each. It makes no further call when `goesOn` returns false. Rejects when a call
 * fails.
 */
export async function removeExpired(
  store: { expire(): Awaitable<number> },
  timeoutMs: number,
  goesOn = () => true,
): Promise<void> {
  for (let calls = 0; calls < maxCalls && goesOn(); calls++) {
    const call = async () => store.expire();
    if (!((await withinTime(call(), timeoutMs)) > 0)) return;
  }
}
