/** What a roster lists; it keeps the position itself, and nothing else may write it. */
export interface Listed {
  position: number;
}

/**
 * A set of what is running, for objects that come and go with every request. A Set would do, but V8 gives a Set that
 * sees many come and go a new table again and again, and each old table keeps what it held alive until the next full
 * collection: whole requests outlived the cheap collections that way.
 */
export class IndexedSet<T extends Listed> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    item.position = this.#items.push(item) - 1;
  }

  /** Idempotent. */
  delete(item: T): void {
    const { position } = item;
    if (this.#items[position] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[position] = last;
    last.position = position;
  }

  /** What is listed now, as a copy: to walk it while it changes. */
  snapshot(): T[] {
    return [...this.#items];
  }
}
