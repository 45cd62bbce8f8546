import type { BreakerSettings } from "./routing-options.ts";

/**
 * A circuit breaker. It opens after consecutive failures, or at once by `open`. After the cooldown it is half-open and
 * admits one probe: a success closes it, a failure opens it again, and if the probe has no result, another is admitted
 * after one more cooldown. Requests that were running when it opened do not change it.
 *
 * Every request has a number, its entry, which is higher than those before.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  #failures = 0;
  #isOpen = false;
  #openUntil = 0;
  #lastEntry = 0;
  /** The last entry before it opened. */
  #openedAfter = 0;
  /** The entry of the probe; 0 if there is none. */
  #probe = 0;
  /** The time of the last failure, in milliseconds since the Unix epoch; 0 if there was none. */
  failedAt = 0;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns true if a request may be sent now. With an open breaker, that request is the probe. */
  admits(now: number): boolean {
    return !this.#isOpen || now >= this.#openUntil;
  }

  /** Records that a request is sent, which may happen although the breaker is open. */
  enter(now: number, entry: number): void {
    this.#lastEntry = entry;
    if (!this.#isOpen || now < this.#openUntil) return;
    this.#probe = entry;
    this.#openUntil = now + this.#settings.cooldownMs;
  }

  /** Records that a request ended without a result. If it was the probe, another request may probe. */
  leave(entry: number): void {
    if (this.#isOpen && entry === this.#probe) this.#openUntil = 0;
  }

  /** Records a success. Returns true if it closed the breaker. */
  succeed(entry: number): boolean {
    if (this.#isStale(entry)) return false;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#failures = 0;
    return wasOpen;
  }

  /** Records a failure. Returns true if it opened the breaker. */
  fail(now: number, entry: number): boolean {
    this.failedAt = now;
    this.#failures += 1;
    return this.#isOpen || this.#failures >= this.#settings.threshold ? this.open(now, entry) : false;
  }

  /** Opens the breaker at once. Returns true if it was closed. */
  open(now: number, entry: number): boolean {
    this.failedAt = now;
    if (this.#isStale(entry)) return false;
    const wasOpen = this.#isOpen;
    this.#isOpen = true;
    this.#openUntil = now + this.#settings.cooldownMs;
    this.#openedAfter = this.#lastEntry;
    this.#probe = 0;
    return !wasOpen;
  }

  #isStale(entry: number): boolean {
    return this.#isOpen && entry <= this.#openedAfter;
  }
}
