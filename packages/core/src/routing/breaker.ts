/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Failures in a row. */
  readonly failuresToOpen: number;
  /** Milliseconds until one request may try again. */
  readonly openMs: number;
}

/**
 * Keeps requests from what fails again and again. It opens after some failures in a row, or at once when it is told to.
 * Half-open after a while, it lets one request through: its success closes it, its failure opens it anew.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  #failures = 0;
  #openUntil = 0;
  #isProbed = false;
  /** When it last failed, in milliseconds since the Unix epoch; 0: never. */
  failedAt = 0;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  get isOpen(): boolean {
    return this.#openUntil > 0;
  }

  /** True when a request may go through now; of an open one, it is the one request that finds out. */
  admits(now: number): boolean {
    return this.#openUntil === 0 || (now >= this.#openUntil && !this.#isProbed);
  }

  /** A request goes through. */
  enter(now: number): void {
    if (this.#openUntil > 0 && now >= this.#openUntil) this.#isProbed = true;
  }

  /** A request that went through says nothing of what is guarded. */
  leave(): void {
    this.#isProbed = false;
  }

  /** True when this closed it. */
  succeed(): boolean {
    this.#failures = 0;
    if (this.#openUntil === 0) return false;
    this.#openUntil = 0;
    this.#isProbed = false;
    return true;
  }

  /** True when this opened it. */
  fail(now: number): boolean {
    this.failedAt = now;
    this.#failures += 1;
    const wasProbed = this.#isProbed;
    return this.#failures >= this.#limits.failuresToOpen || wasProbed ? this.open(now) : false;
  }

  /** Opens it at once; true when it was closed. */
  open(now: number): boolean {
    const wasOpen = this.isOpen;
    this.failedAt = now;
    this.#isProbed = false;
    this.#openUntil = now + this.#limits.openMs;
    return !wasOpen;
  }
}
