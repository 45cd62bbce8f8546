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
  readonly key: string;
  readonly value: V;
  readonly expiresAt: number;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;
}

/**
 * A map that keeps the most recently used entries. An expired entry is absent, and is removed when it is next looked for.
 * The entries are linked in the order of their last use. The order of a Map would need an iterator: a new one passes all
 * entries that were removed since the Map last grew, and one that is kept retains them.
 */
export class LruMap<V> {
  readonly #entries = new Map<string, Entry<V>>();
  #oldest: Entry<V> | undefined;
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
      this.#unlink(entry);
      this.#append(entry);
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
    const expiresAt = ttlMs === undefined ? Number.POSITIVE_INFINITY : this.#now() + ttlMs;
    const entry = { key, value, expiresAt, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    if (this.#entries.size > max) this.delete(this.#oldest?.key ?? key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
    this.#options.onRemove?.(key, entry.value);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }

  #append(entry: Entry<V>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  /** Clears the links of the entry too: a removed entry that the collector has not found yet would keep its neighbours. */
  #unlink(entry: Entry<V>): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }

  #unexpired(key: string): Entry<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt === Number.POSITIVE_INFINITY || entry.expiresAt > this.#now())
      return entry;
    this.delete(key);
    return undefined;
  }
}
