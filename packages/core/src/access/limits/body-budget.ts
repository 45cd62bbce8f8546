/** Bytes of a body that were received and wait until the budget has room for them. */
export interface WaitingBytes {
  readonly share: BodyShare;
  readonly bytes: number;
  /** Called once the bytes are counted. */
  granted(): void;
}

/**
 * Limits the bytes that this process holds for requests: their bodies, stored content that they load, and content that is
 * logged. One key may use at most a quarter of the limit.
 */
export class BodyBudget {
  readonly #limit: number;
  readonly #keyLimit: number;
  readonly #waiting = new Set<WaitingBytes>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#keyLimit = Math.floor(limit / 4);
  }

  /** Bytes that are held at present. */
  get used(): number {
    return this.#used;
  }

  /** The number of bodies that wait for room. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** True if there would be room for so many more bytes of a share if all others were released. */
  canEverTake(heldBytes: number, bytes: number): boolean {
    return heldBytes + bytes <= this.#keyLimit;
  }

  /** Counts bytes if there is room, in a part of the limits only. Returns false, and counts nothing, if there is not. */
  take({ use }: BodyShare, bytes: number, part = 1): boolean {
    if (this.#used + bytes > this.#limit * part || use.bodyBytes + bytes > this.#keyLimit * part) return false;
    this.#used += bytes;
    use.bodyBytes += bytes;
    return true;
  }

  /** Releases bytes, and then counts waiting bytes that have room, oldest first. */
  release({ use }: BodyShare, bytes: number): void {
    this.#used -= bytes;
    use.bodyBytes -= bytes;
    if (this.#waiting.size === 0) return;
    for (const waiting of this.#waiting) {
      if (!waiting.share.take(waiting.bytes)) continue;
      this.#waiting.delete(waiting);
      waiting.granted();
    }
  }

  /** Adds bytes that had no room to the queue. */
  enqueue(waiting: WaitingBytes): void {
    this.#waiting.add(waiting);
  }

  /** Removes bytes from the queue. Idempotent. */
  dequeue(waiting: WaitingBytes): void {
    this.#waiting.delete(waiting);
  }
}

/** The part of the budget that one request uses, or what is logged of it. */
export class BodyShare {
  readonly budget: BodyBudget;
  readonly use: KeyUse;
  #bytes = 0;

  constructor(budget: BodyBudget, use: KeyUse) {
    this.budget = budget;
    this.use = use;
  }

  /** Counts bytes if there is room. Returns false, and counts nothing, if there is not. */
  take(bytes: number): boolean {
    if (!this.budget.take(this, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes that are less important than those of requests, for which half of the limits is left. */
  takeSpare(bytes: number): boolean {
    if (!this.budget.take(this, bytes, 1 / 2)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** True if so many more bytes would fit once all other requests have released theirs. */
  canEverTake(bytes: number): boolean {
    return this.budget.canEverTake(this.#bytes, bytes);
  }

  /** Releases bytes that were counted, or all of them. Idempotent for all. */
  release(bytes = this.#bytes): void {
    if (bytes === 0) return;
    this.#bytes -= bytes;
    this.budget.release(this, bytes);
  }
}

/** The requests of one key that run in this process. */
export interface KeyUse {
  readonly keyId: string;
  running: number;
  /** Bytes of their bodies that are held. */
  bodyBytes: number;
}

/** Up to this size, entries of idle keys stay in the map, which saves a new entry per request. */
const idleEntries = 1_000;

/** The requests of each key that run in this process. */
export class KeyUses {
  readonly #byKey = new Map<string, KeyUse>();

  of(keyId: string): KeyUse {
    const known = this.#byKey.get(keyId);
    if (known !== undefined) return known;
    const use = { keyId, running: 0, bodyBytes: 0 };
    this.#byKey.set(keyId, use);
    return use;
  }

  /** Removes the entry of an idle key, unless a later one has taken its place. */
  remove(use: KeyUse): void {
    if (this.#byKey.size > idleEntries && this.#byKey.get(use.keyId) === use) this.#byKey.delete(use.keyId);
  }
}

/** Time limits for receiving request bodies. */
export interface BodyOptions {
  /** Milliseconds without progress after which a body is refused with 408; 30,000. */
  readonly stalledMs?: number;
  /** Milliseconds after which `minBytesPerSecond` applies; 60,000. */
  readonly slowAfterMs?: number;
  /** The lowest average rate of a body after `slowAfterMs`, in bytes per second; 65,536. */
  readonly minBytesPerSecond?: number;
  /** Milliseconds that a body waits for room in `maxBufferedRequestBytes` before it is refused with 503; 2,000. */
  readonly waitMs?: number;
}
