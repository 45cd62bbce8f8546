import type { BreakerSettings } from "./routing-options.ts";

/**
 * Keeps requests from what fails again and again. It opens after some failures in a row, or at once when it is told to.
 * Half-open after a while, it lets one request through: its success closes it, its failure opens it anew, and while it
 * has no end the next one follows after the same while. Requests that were on their way when it opened change nothing.
 *
 * Every request has a number, its entry, that is higher than those before it.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  #failures = 0;
  #isOpen = false;
  #openUntil = 0;
  #lastEntry = 0;
  /** The last entry before it opened. */
  #openedAfter = 0;
  /** The entry that was let through to find out; 0: none. */
  #probe = 0;
  /** When it last failed, in milliseconds since the Unix epoch; 0: never. */
  failedAt = 0;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True when a request may go through now; of an open one, it is the one request that finds out. */
  admits(now: number): boolean {
    return !this.#isOpen || now >= this.#openUntil;
  }

  /** A request goes through, also when it should not, because there is no other way. */
  enter(now: number, entry: number): void {
    this.#lastEntry = entry;
    if (!this.#isOpen || now < this.#openUntil) return;
    this.#probe = entry;
    this.#openUntil = now + this.#settings.cooldownMs;
  }

  /** The request says nothing of what is guarded: another may find out. */
  leave(entry: number): void {
    if (this.#isOpen && entry === this.#probe) this.#openUntil = 0;
  }

  /** True when this closed it. */
  succeed(entry: number): boolean {
    if (this.#isStale(entry)) return false;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#failures = 0;
    return wasOpen;
  }

  /** True when this opened it. */
  fail(now: number, entry: number): boolean {
    this.failedAt = now;
    this.#failures += 1;
    return this.#isOpen || this.#failures >= this.#settings.threshold ? this.open(now, entry) : false;
  }

  /** Opens it at once; true when it was closed. */
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
