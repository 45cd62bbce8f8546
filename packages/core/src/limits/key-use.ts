/** What one key uses of this process now. */
export interface KeyUse {
  readonly keyId: string;
  /** Requests that run. */
  running: number;
  /** Bytes of their bodies. */
  bodyBytes: number;
}

/** Entries of idle keys up to this count are kept, so that a busy key does not make a new one with every request. */
const idleEntries = 1_000;

/** What each key uses of this process now. */
export class KeyUses {
  readonly #byKey = new Map<string, KeyUse>();

  of(keyId: string): KeyUse {
    const known = this.#byKey.get(keyId);
    if (known !== undefined) return known;
    const use = { keyId, running: 0, bodyBytes: 0 };
    this.#byKey.set(keyId, use);
    return use;
  }

  /** Drops the entry of a key that uses nothing any more. */
  drop(use: KeyUse): void {
    if (this.#byKey.size > idleEntries) this.#byKey.delete(use.keyId);
  }
}
