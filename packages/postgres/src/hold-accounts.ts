/**
 * Which account a hold of this process is on, as far as it is remembered: at least until `keep` others have come after
 * it, and never more than twice as many.
 */
export class HoldAccounts {
  readonly #keep: number;
  #recent = new Map<string, string>();
  #older = new Map<string, string>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  get(holdId: string): string | undefined {
    return this.#recent.get(holdId) ?? this.#older.get(holdId);
  }

  /** The first account counts: an id that comes again for another is a conflict. */
  remember(holdId: string, account: string): void {
    if (this.get(holdId) !== undefined) return;
    if (this.#recent.size >= this.#keep) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(holdId, account);
  }

  forget(holdId: string): void {
    this.#recent.delete(holdId);
    this.#older.delete(holdId);
  }
}
