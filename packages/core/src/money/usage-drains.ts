/**
 * Limits the calls whose upstream is read for its usage after the client disconnected. Calls above the limit are ended
 * and estimated.
 */
export class UsageDrains {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a slot, which the caller releases with `end`. Returns false when all are taken. */
  begin(): boolean {
    if (this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }

  end(): void {
    this.#count -= 1;
  }
}
