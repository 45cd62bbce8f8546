/** Limits how many calls of one kind each key runs at once in this process. */
export class KeySlots {
  readonly #perKey: number;
  readonly #taken = new Map<string, number>();

  constructor(perKey: number) {
    this.#perKey = perKey;
  }

  /** Takes a slot of a key, which the caller releases with `end`. Returns false when all are taken. */
  begin(keyId: string): boolean {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken >= this.#perKey) return false;
    this.#taken.set(keyId, taken + 1);
    return true;
  }

  end(keyId: string): void {
    const left = (this.#taken.get(keyId) ?? 0) - 1;
    if (left > 0) this.#taken.set(keyId, left);
    else this.#taken.delete(keyId);
  }
}
