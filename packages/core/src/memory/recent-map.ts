/**
 * A map that forgets its oldest entries: an entry is kept at least until `keep` others have come after it, or for as long
 * as it must stay. Besides those that must, at most twice as many are kept. All operations take constant time.
 */
export class RecentMap<Value> {
  readonly #keep: number;
  readonly #mustStay: (value: Value) => boolean;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #full: number;

  constructor(keep: number, mustStay: (value: Value) => boolean = () => false) {
    this.#keep = keep;
    this.#mustStay = mustStay;
    this.#full = keep;
  }

  get(id: string): Value | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  set(id: string, value: Value): void {
    if (this.#recent.size >= this.#full) this.#forget();
    this.#recent.set(id, value);
  }

  /** An entry is of now: others have to come after it anew. */
  refresh(id: string, value: Value): void {
    if (this.#recent.has(id)) return;
    this.#older.delete(id);
    this.set(id, value);
  }

  *entries(): IterableIterator<[string, Value]> {
    yield* this.#older;
    yield* this.#recent;
  }

  #forget(): void {
    const oldest = this.#older;
    this.#older = this.#recent;
    this.#recent = new Map();
    for (const [id, value] of oldest) if (this.#mustStay(value)) this.#recent.set(id, value);
    this.#full = this.#recent.size + this.#keep;
  }
}
