/** The listeners of a KeyStore, for its `onChange`. */
export class ChangeListeners {
  readonly #listeners = new Set<{ readonly call: (keyId: string | undefined) => void }>();

  /** Adds a listener and returns a function that removes it. The same listener may be added more than once. */
  readonly add = (listener: (keyId: string | undefined) => void): (() => void) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  /** Calls every listener with the id of the changed key, or undefined if any key may have changed; then throws the first error of one. */
  notify(keyId: string | undefined): void {
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
