import { IndexedSet, type Listed } from "./indexed-set.ts";
import { every } from "./timers.ts";

/** Something that checks its time limits while it runs. */
export interface Watched extends Listed {
  /** `now` is milliseconds since the Unix epoch. */
  tick(now: number): void;
}

const maxPeriodMs = 250;
const minPeriodMs = 10;
const idleTicksBeforeStop = 40;

/** One timer for all running requests, which costs less than a timer for each. Its period is a quarter of the shortest limit. */
export class SharedTicker {
  readonly #periodMs: number;
  readonly #watched = new IndexedSet<Watched>();
  #stop: (() => void) | undefined;
  #idleTicks = 0;

  /** `shortestLimitMs` is the shortest time limit that a watched object checks. */
  constructor(shortestLimitMs: number) {
    this.#periodMs = Math.max(minPeriodMs, Math.min(maxPeriodMs, shortestLimitMs / 4));
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#stop ??= every(this.#periodMs, () => this.#tick());
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
  }

  #tick(): void {
    this.#idleTicks = this.#watched.size === 0 ? this.#idleTicks + 1 : 0;
    const now = Date.now();
    for (const watched of this.#watched.snapshot()) watched.tick(now);
    if (this.#idleTicks < idleTicksBeforeStop) return;
    this.#stop?.();
    this.#stop = undefined;
    this.#idleTicks = 0;
  }
}
