/** A cache of the newest values. It keeps a value until at least `keep` newer ones were added, and never more than twice that number. */
export class Recent<Value> {
  readonly #keep: number;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  get(name: string): Value | undefined {
    return this.#recent.get(name) ?? this.#older.get(name);
  }

  set(name: string, value: Value): void {
    this.#older.delete(name);
    if (this.#recent.size >= this.#keep && !this.#recent.has(name)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, value);
  }

  delete(name: string): void {
    this.#recent.delete(name);
    this.#older.delete(name);
  }
}
