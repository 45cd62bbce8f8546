/**
 * A cache of the accounts of this process's holds. It keeps a hold until at least `keep` newer ones were added, and
 * never more than twice that number.
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

  /** Adds a hold. An id that is already cached keeps its account, since a second account for it is a conflict. */
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
