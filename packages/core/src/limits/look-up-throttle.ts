const windowMs = 60_000;
const limitedWindowMs = 1_000;
const lookUpsWhileLimited = 5;

/** Throttles the look-ups of unknown keys from one address by how many failed within a minute. */
export class LookUpThrottle {
  readonly #limit: number;
  #failures = 0;
  #windowEndsAt = 0;
  #limitedUntil = 0;
  #pending = 0;
  #limitedWindowEndsAt = 0;
  #lookUpsInWindow = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns true while too many keys have failed. */
  isLimited(now: number): boolean {
    if (now >= this.#windowEndsAt) this.#failures = 0;
    return this.#failures >= this.#limit || now < this.#limitedUntil;
  }

  /** Limits the address for some milliseconds regardless of the count here, because of failures at other processes. */
  limitFor(milliseconds: number): void {
    this.#limitedUntil = Date.now() + milliseconds;
  }

  /**
   * Begins a look-up. Waits while the running look-ups would reach the limit if all of them failed, so that a burst
   * cannot exceed it. Resolves to false if the address is limited and has used its look-ups of this second.
   */
  async enter(): Promise<boolean> {
    while (!this.isLimited(Date.now()) && this.#failures + this.#pending >= this.#limit) await this.#nextEnd();
    const now = Date.now();
    if (this.isLimited(now) && !this.#isWithinAllowance(now)) return false;
    this.#pending += 1;
    return true;
  }

  /** Ends a look-up. */
  leave(failed: boolean): void {
    const now = Date.now();
    this.#pending -= 1;
    if (failed) this.#fail(now);
    const woken = this.#waiting.splice(0, this.isLimited(now) ? this.#waiting.length : 1);
    for (const wake of woken) wake();
  }

  #fail(now: number): void {
    if (!this.isLimited(now) && this.#failures === 0) this.#windowEndsAt = now + windowMs;
    this.#failures += 1;
  }

  #isWithinAllowance(now: number): boolean {
    if (now >= this.#limitedWindowEndsAt) {
      this.#limitedWindowEndsAt = now + limitedWindowMs;
      this.#lookUpsInWindow = 0;
    }
    this.#lookUpsInWindow += 1;
    return this.#lookUpsInWindow <= lookUpsWhileLimited;
  }

  #nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
