/** The current items of a configured list, by id and in the configured order. */
export interface Snapshot<Item> {
  current(): ReadonlyMap<string, Item>;
}

/**
 * Makes the snapshot of a list, or of a function that returns the current list. `read` throws for an invalid list. A
 * function's list is read again when it is another array. If the function throws or its list is invalid, `onError` gets
 * the error and the last valid list stays in use. The first list must be valid.
 */
export function snapshot<Config, Item>(
  source: readonly Config[] | (() => readonly Config[]),
  read: (list: readonly Config[]) => ReadonlyMap<string, Item>,
  onError: (cause: unknown) => void,
): Snapshot<Item> {
  if (typeof source !== "function") {
    const fixed = read(source);
    return { current: () => fixed };
  }
  let list = source();
  let current = read(list);
  return {
    current() {
      try {
        const next = source();
        if (next !== list) {
          list = next;
          current = read(next);
        }
      } catch (cause) {
        onError(cause);
      }
      return current;
    },
  };
}
