import { IndexedSet, type Listed } from "./indexed-set.ts";
import { every } from "./timers.ts";

/** Something that must be looked at now and then while it runs. */
export interface Watched extends Listed {
  /** `now` is milliseconds since the Unix epoch. */
  tick(now: number): void;
}

const longestPeriodMs = 250;
const shortestPeriodMs = 10;
const idleTicksBeforeStop = 40;

/** One timer for all running requests: cheaper than timers of each, and exact to a quarter of the shortest limit. */
export class SharedTicker {
  readonly #periodMs: number;
  readonly #watched = new IndexedSet<Watched>();
  #stop: (() => void) | undefined;
  #idleTicks = 0;

  /** `shortestLimitMs` is the shortest time that any of the watched keeps. */
  constructor(shortestLimitMs: number) {
    this.#periodMs = Math.max(shortestPeriodMs, Math.min(longestPeriodMs, shortestLimitMs / 4));
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#stop ??= every(this.#periodMs, () => this.#beat());
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
  }

  #beat(): void {
    this.#idleTicks = this.#watched.size === 0 ? this.#idleTicks + 1 : 0;
    const now = Date.now();
    for (const watched of this.#watched.snapshot()) watched.tick(now);
    if (this.#idleTicks < idleTicksBeforeStop) return;
    this.#stop?.();
    this.#stop = undefined;
    this.#idleTicks = 0;
  }
}
