/**
 * Options of an LRUCache with at most this many entries. With `max`, it would allocate all of them when it is created, which
 * takes tens of milliseconds and megabytes for each gateway.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
