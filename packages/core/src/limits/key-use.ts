/** The requests of one key that run in this process. */
export interface KeyUse {
  readonly keyId: string;
  running: number;
  /** Bytes of their bodies that are held. */
  bodyBytes: number;
}

/** Up to this size, entries of idle keys stay in the map, which saves a new entry per request. */
const idleEntries = 1_000;

/** The requests of each key that run in this process. */
export class KeyUses {
  readonly #byKey = new Map<string, KeyUse>();

  of(keyId: string): KeyUse {
    const known = this.#byKey.get(keyId);
    if (known !== undefined) return known;
    const use = { keyId, running: 0, bodyBytes: 0 };
    this.#byKey.set(keyId, use);
    return use;
  }

  /** Removes the entry of an idle key. */
  remove(use: KeyUse): void {
    if (this.#byKey.size > idleEntries) this.#byKey.delete(use.keyId);
  }
}
