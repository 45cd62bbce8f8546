/** How many entries an {@link LruMap} keeps, and for how long. */
export interface LruMapOptions<V> {
  /** The most entries. One more removes the entry that was read or written least recently. */
  readonly max: number;
  /** The time from the write of an entry until it expires, in milliseconds. Absent: entries do not expire. */
  readonly ttlMs?: number;
  /** The clock, in milliseconds. Absent: one that no change of the system's time moves. */
  readonly now?: () => number;
  /** Called with each entry that leaves the map, in whatever way. */
  readonly onRemove?: (key: string, value: V) => void;
}

interface Entry<V> {
  readonly value: V;
  readonly expiresAt: number;
}

/** A map that keeps the most recently used entries. An expired entry is absent, and is removed when it is next looked for. */
export class LruMap<V> {
  /** In the order of their last use, since a Map iterates in the order of insertion. */
  readonly #entries = new Map<string, Entry<V>>();
  /** Stays behind the last entry that was removed for being the oldest. A new iterator would first pass all removed entries. */
  readonly #oldest = this.#entries.keys();
  /** The entry that was used last. Using it again changes no order, so a key that is in constant use costs little. */
  #newest: Entry<V> | undefined;
  readonly #options: LruMapOptions<V>;
  readonly #now: () => number;

  constructor(options: LruMapOptions<V>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get(key: string): V | undefined {
    const entry = this.#unexpired(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#entries.delete(key);
      this.#append(key, entry);
    }
    return entry.value;
  }

  /** Does not count as a use. */
  has(key: string): boolean {
    return this.#unexpired(key) !== undefined;
  }

  set(key: string, value: V): void {
    const { max, ttlMs } = this.#options;
    this.delete(key);
    this.#append(key, { value, expiresAt: ttlMs === undefined ? Number.POSITIVE_INFINITY : this.#now() + ttlMs });
    if (this.#entries.size > max) this.delete(this.#oldest.next().value ?? key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#options.onRemove?.(key, entry.value);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }

  #append(key: string, entry: Entry<V>): void {
    this.#entries.set(key, entry);
    this.#newest = entry;
  }

  #unexpired(key: string): Entry<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt === Number.POSITIVE_INFINITY || entry.expiresAt > this.#now())
      return entry;
    this.delete(key);
    return undefined;
  }
}
