/**
 * A map that forgets old values: a closed value is found until at least `keep` others have been closed after it, and at most
 * until twice as many have. An open value is never forgotten.
 *
 * It removes no single entry. V8 replaces the table of a Map again and again when entries come and go, and each old table
 * keeps its entries alive until the next major garbage collection.
 */
export class RecentMap<Value> {
  readonly #keep: number;
  readonly #isOpen: (value: Value) => boolean;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  /** How many values were closed since `recent` was empty. */
  #closed = 0;

  constructor(keep: number, isOpen: (value: Value) => boolean) {
    this.#keep = keep;
    this.#isOpen = isOpen;
  }

  get(id: string): Value | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  /** Adds an open value. */
  open(id: string, value: Value): void {
    this.#recent.set(id, value);
  }

  /** Adds a closed value, or counts one that was open as closed. */
  close(id: string, value: Value): void {
    this.#recent.set(id, value);
    this.#closed += 1;
    if (this.#closed >= this.#keep) this.#forget();
  }

  *allOpen(): Iterable<Value> {
    for (const values of [this.#older, this.#recent]) {
      for (const value of values.values()) if (this.#isOpen(value)) yield value;
    }
  }

  #forget(): void {
    const forgotten = this.#older;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#closed = 0;
    // Without the pairs that an iterator would create, of as many entries as the map keeps.
    forgotten.forEach((value, id) => {
      if (this.#isOpen(value)) this.#recent.set(id, value);
    });
  }
}
