/** The listeners of a store, for its `onChange` or `onFreeze`. */
export class ChangeListeners<Changed = string | undefined> {
  readonly #listeners = new Set<{ readonly call: (changed: Changed) => void }>();

  /** Adds a listener and returns a function that removes it. The same listener may be added more than once. */
  readonly add = (listener: (changed: Changed) => void): (() => void) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  /**
   * Calls every listener with the id of the key or account that has changed, or undefined if any key may have changed; then
   * throws the first error of one.
   */
  notify(changed: Changed): void {
    const failures: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener.call(changed);
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
