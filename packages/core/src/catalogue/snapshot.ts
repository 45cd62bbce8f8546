/** What the host configured, by id, as it is now and in the configured order. */
export interface Snapshot<Item> {
  current(): ReadonlyMap<string, Item>;
}

/**
 * The snapshot of a list, or of a function that gives the current list. `read` throws when a list has a fault. A list
 * that a function gives is read when it is a new one; the last good list stays in use while the function throws or its
 * list has a fault. The first list must be good.
 */
export function snapshot<Config, Item>(
  source: readonly Config[] | (() => readonly Config[]),
  read: (list: readonly Config[]) => ReadonlyMap<string, Item>,
  onFault: (fault: unknown) => void,
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
      } catch (fault) {
        onFault(fault);
      }
      return current;
    },
  };
}
