import { after } from "../runtime/timers.ts";

const firstPauseMs = 50;
const longestPauseMs = 5_000;
/** Fewer than a pool of connections usually has, so that new requests are served while a backlog is worked off. */
const mostAtOnce = 8;

/**
 * Tries again what failed, until it succeeds: one at a time while all fail, from 50 ms to 5 s apart with jitter, and
 * several at once when one got through. What failed once goes before what failed again, which may never succeed.
 */
export class Retries<Item> {
  readonly #succeeds: (item: Item) => Promise<boolean>;
  readonly #failed: Item[] = [];
  #pauseMs = firstPauseMs;
  #working = false;

  /** `succeeds` makes one try. It must not reject. */
  constructor(succeeds: (item: Item) => Promise<boolean>) {
    this.#succeeds = succeeds;
  }

  add(item: Item): void {
    this.#failed.unshift(item);
    if (this.#working) return;
    this.#working = true;
    this.#afterPause();
  }

  #afterPause(): void {
    after(this.#pauseMs * (0.75 + 0.5 * Math.random()), () => void this.#workOff());
  }

  async #workOff(): Promise<void> {
    if (await this.#next()) {
      this.#pauseMs = firstPauseMs;
      await Promise.all(Array.from({ length: mostAtOnce }, () => this.#untilOneFails()));
    } else {
      this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    }
    this.#working = this.#failed.length > 0;
    if (this.#working) this.#afterPause();
  }

  async #untilOneFails(): Promise<void> {
    while (await this.#next());
  }

  async #next(): Promise<boolean> {
    const item = this.#failed.shift();
    if (item === undefined) return false;
    const done = await this.#succeeds(item);
    if (!done) this.#failed.push(item);
    return done;
  }
}
