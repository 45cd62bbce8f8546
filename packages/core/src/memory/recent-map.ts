/**
 * A map that forgets its oldest entries: an entry is kept at least until `keep` others have come after it, and at most
 * twice as many are kept. All operations take constant time.
 */
export class RecentMap<Value> {
  readonly #keep: number;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  get(id: string): Value | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  /** Adds an entry whose id is not there. */
  set(id: string, value: Value): void {
    if (this.#recent.size >= this.#keep) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(id, value);
  }
}
