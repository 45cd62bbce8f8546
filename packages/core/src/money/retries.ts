import { after } from "../runtime/timers.ts";

const firstPauseMs = 50;
const longestPauseMs = 5_000;
/** Fewer than the usual size of a connection pool, so that new requests are served while a backlog is retried. */
const maxConcurrent = 8;

/**
 * Retries failed items until they succeed: one at a time while all fail, 50 ms to 5 s apart with jitter, and several at
 * once after a success. New failures go before repeated ones, which may never succeed.
 */
export class Retries<Item> {
  readonly #attempt: (item: Item) => Promise<boolean>;
  readonly #failed: Item[] = [];
  #pauseMs = firstPauseMs;
  #working = false;

  /** `attempt` makes one attempt and resolves to true if it succeeded. It must not reject. */
  constructor(attempt: (item: Item) => Promise<boolean>) {
    this.#attempt = attempt;
  }

  add(item: Item): void {
    this.#failed.unshift(item);
    if (this.#working) return;
    this.#working = true;
    this.#schedule();
  }

  #schedule(): void {
    after(this.#pauseMs * (0.75 + 0.5 * Math.random()), () => void this.#retry());
  }

  async #retry(): Promise<void> {
    if (await this.#next()) {
      this.#pauseMs = firstPauseMs;
      await Promise.all(Array.from({ length: maxConcurrent }, () => this.#untilOneFails()));
    } else {
      this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    }
    this.#working = this.#failed.length > 0;
    if (this.#working) this.#schedule();
  }

  async #untilOneFails(): Promise<void> {
    while (await this.#next());
  }

  async #next(): Promise<boolean> {
    const item = this.#failed.shift();
    if (item === undefined) return false;
    const done = await this.#attempt(item);
    if (!done) this.#failed.push(item);
    return done;
  }
}
