/** An item of an {@link IndexedSet}. Only the set may write its position, which is -1 at first. */
export interface Listed {
  position: number;
}

/**
 * A set of running objects that come and go with every request. V8 replaces the table of a busy Set again and again, and
 * each old table keeps its items alive until the next major garbage collection. An array does not.
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

  /** Returns a copy of the items, which can be iterated while the set changes. */
  snapshot(): T[] {
    return [...this.#items];
  }
}
