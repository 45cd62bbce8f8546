/** The bytes that all clients together may leave lying here unread. */
export class BufferBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes bytes, which may be a negative number to give them back. */
  take(bytes: number): void {
    this.#used += bytes;
  }

  /** Bytes that are held now. */
  get used(): number {
    return this.#used;
  }

  get exceeded(): boolean {
    return this.#used > this.#limit;
  }
}
