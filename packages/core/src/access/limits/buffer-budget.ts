/** Limits the unread bytes of all clients together. */
export class BufferBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts bytes; a negative number releases them. */
  take(bytes: number): void {
    this.#used += bytes;
  }

  /** Bytes that are held at present. */
  get used(): number {
    return this.#used;
  }

  get exceeded(): boolean {
    return this.#used > this.#limit;
  }
}
