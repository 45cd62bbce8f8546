/** A value that is there already or that comes later. A store in memory answers at once, and the path does not wait for what it has. */
export type Awaitable<T> = T | Promise<T>;

/** True for what comes later: a Promise, or another thenable, such as some database clients give in its place. */
export const comesLater = <T>(value: Awaitable<T>): value is Promise<T> =>
  value instanceof Promise ||
  (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function");

/** Goes on with a value: at once when it is there, since a promise and its turns cost more than most steps. */
export const whenReady = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value);
