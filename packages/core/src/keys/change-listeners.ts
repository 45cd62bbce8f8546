/** Those who want to know of changed keys: the other half of `KeyStore.onChange`. */
export class ChangeListeners {
  readonly #listeners = new Set<{ readonly call: (keyId: string | undefined) => void }>();

  /** Adds a listener, as often as it is given, and gives back what ends it. */
  readonly add = (listener: (keyId: string | undefined) => void): (() => void) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  /** Tells everyone that a key has changed; undefined: any may have. What one throws is thrown when all have heard. */
  tell(keyId: string | undefined): void {
    const failures: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener.call(keyId);
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
