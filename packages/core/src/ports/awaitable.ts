/** A value that is there already or that comes later. A store in memory answers at once, and the path does not wait for what it has. */
export type Awaitable<T> = T | Promise<T>;
