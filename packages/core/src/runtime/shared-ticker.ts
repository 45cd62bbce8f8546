import { every, steadyNow } from "./timers.ts";

/** Something that checks its time limits while it runs. */
export interface Watched extends Listed {
  /** `now` is the time of `steadyNow`. */
  tick(now: number): void;
}

const maxPeriodMs = 250;
const minPeriodMs = 10;
const idleTicksBeforeStop = 40;

/** On Workers, a timer ends with the request that set it, and must not act for other requests. */
const timersEndWithRequests = globalThis.navigator?.userAgent === "Cloudflare-Workers";

/**
 * One timer for all running requests, which costs less than a timer for each. Its period is a quarter of the shortest limit.
 * On Workers, each watched object has a timer of its own.
 */
export class SharedTicker {
  readonly #periodMs: number;
  readonly #watched = new IndexedSet<Watched>();
  readonly #ownTimers = new Map<Watched, () => void>();
  #stop: (() => void) | undefined;
  #idleTicks = 0;

  /** `shortestLimitMs` is the shortest time limit that a watched object checks. */
  constructor(shortestLimitMs: number) {
    this.#periodMs = Math.max(minPeriodMs, Math.min(maxPeriodMs, shortestLimitMs / 4));
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    if (timersEndWithRequests) {
      this.#ownTimers.set(
        watched,
        every(this.#periodMs, () => watched.tick(steadyNow())),
      );
    } else this.#stop ??= every(this.#periodMs, () => this.#tick());
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
    this.#ownTimers.get(watched)?.();
    this.#ownTimers.delete(watched);
  }

  #tick(): void {
    this.#idleTicks = this.#watched.size === 0 ? this.#idleTicks + 1 : 0;
    const now = steadyNow();
    for (const watched of this.#watched.snapshot()) watched.tick(now);
    if (this.#idleTicks < idleTicksBeforeStop) return;
    this.#stop?.();
    this.#stop = undefined;
    this.#idleTicks = 0;
  }
}

/** An item of an {@link IndexedSet}. Only the set may write its position, which is -1 at first. */
export interface Listed {
  position: number;
}

/**
 * A set of running objects that come and go with every request. V8 replaces the table of a busy Set again and again, and
 * each old table keeps its items alive until the next major garbage collection. An array does not.
 */
export class IndexedSet<T extends Listed> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    item.position = this.#items.push(item) - 1;
  }

  /** Idempotent. */
  delete(item: T): void {
    const { position } = item;
    if (this.#items[position] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[position] = last;
    last.position = position;
  }

  /** Returns a copy of the items, which can be iterated while the set changes. */
  snapshot(): T[] {
    return [...this.#items];
  }
}
