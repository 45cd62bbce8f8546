/**
 * The calls whose upstream is read on for its usage alone, since their clients have gone. They are few by design: what
 * does not get a place is ended and estimated.
 */
export class ReadingOn {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place; false when all are taken. Whoever takes one gives it back with `end`. */
  begin(): boolean {
    if (this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }

  end(): void {
    this.#count -= 1;
  }
}
