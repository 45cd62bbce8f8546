const windowMs = 60_000;
const dripMs = 1_000;
const lookUpsInDrip = 5;

/** Look-ups of unknown keys from one address: those that failed lately, those under way, and those that wait for them. */
export class Guesses {
  readonly #limit: number;
  #failures = 0;
  #windowEndsAt = 0;
  #limitedUntil = 0;
  #pending = 0;
  #dripEndsAt = 0;
  #dripped = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True while too many keys have failed. */
  isLimited(now: number): boolean {
    if (now >= this.#windowEndsAt) this.#failures = 0;
    return this.#failures >= this.#limit || now < this.#limitedUntil;
  }

  /** Limits the address for so many milliseconds, whatever was counted here: it has failed elsewhere. */
  limitFor(milliseconds: number): void {
    this.#limitedUntil = Date.now() + milliseconds;
  }

  /**
   * Waits while the look-ups under way could reach the limit if all of them failed, so that a burst does not go beyond it
   * and keys that turn out good cost nobody anything. False: the address is limited and has used its look-ups of this second.
   */
  async enter(): Promise<boolean> {
    while (!this.isLimited(Date.now()) && this.#failures + this.#pending >= this.#limit) await this.#change();
    const now = Date.now();
    if (this.isLimited(now) && !this.#drip(now)) return false;
    this.#pending += 1;
    return true;
  }

  /** Ends a look-up that was entered. */
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

  #drip(now: number): boolean {
    if (now >= this.#dripEndsAt) {
      this.#dripEndsAt = now + dripMs;
      this.#dripped = 0;
    }
    this.#dripped += 1;
    return this.#dripped <= lookUpsInDrip;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
