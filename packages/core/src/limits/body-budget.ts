import type { KeyUse } from "./key-use.ts";

/** Bytes of a body that have come and that wait for room. */
export interface WaitingBytes {
  readonly share: BodyShare;
  readonly bytes: number;
  /** The bytes are counted now. */
  granted(): void;
}

/** The bytes of request bodies that this process holds: of all keys together, and of one key at most a quarter of that. */
export class BodyBudget {
  readonly #limit: number;
  readonly #keyLimit: number;
  readonly #waiting = new Set<WaitingBytes>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#keyLimit = Math.floor(limit / 4);
  }

  /** Bytes that are held now. */
  get used(): number {
    return this.#used;
  }

  /** Bodies that wait for room. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Counts bytes of a body when there is room for them; false: nothing was counted. */
  take({ use }: BodyShare, bytes: number): boolean {
    if (this.#used + bytes > this.#limit || use.bodyBytes + bytes > this.#keyLimit) return false;
    this.#used += bytes;
    use.bodyBytes += bytes;
    return true;
  }

  /** Gives bytes back, and the room to those that wait, in the order in which they came. */
  give({ use }: BodyShare, bytes: number): void {
    this.#used -= bytes;
    use.bodyBytes -= bytes;
    for (const waiting of this.#waiting) {
      if (!waiting.share.take(waiting.bytes)) continue;
      this.#waiting.delete(waiting);
      waiting.granted();
    }
  }

  /** Lists bytes for which there was no room. */
  wait(waiting: WaitingBytes): void {
    this.#waiting.add(waiting);
  }

  /** Nobody waits for these any more. Idempotent. */
  leave(waiting: WaitingBytes): void {
    this.#waiting.delete(waiting);
  }
}

/** What the body of one request has of the budget. */
export class BodyShare {
  readonly budget: BodyBudget;
  readonly use: KeyUse;
  #bytes = 0;

  constructor(budget: BodyBudget, use: KeyUse) {
    this.budget = budget;
    this.use = use;
  }

  /** Counts bytes when there is room for them; false: nothing was counted. */
  take(bytes: number): boolean {
    if (!this.budget.take(this, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** The body is needed no more. Idempotent. */
  release(): void {
    const bytes = this.#bytes;
    if (bytes === 0) return;
    this.#bytes = 0;
    this.budget.give(this, bytes);
  }
}
