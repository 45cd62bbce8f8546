/** A value that is there already or that comes later. A store in memory answers at once, and the path does not wait for what it has. */
export type Awaitable<T> = T | Promise<T>;

/** True for what comes later: a Promise, or another thenable, such as some database clients give in its place. */
export const comesLater = <T>(value: Awaitable<T>): value is Promise<T> =>
  value instanceof Promise ||
  (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function");

/** Tries something, and answers a failure of it: one that is thrown at once, and one that comes later. */
export function catchAwaitable<T>(
  attempt: () => Awaitable<T>,
  onFailure: (error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const value = attempt();
    return value instanceof Promise ? value.catch(onFailure) : value;
  } catch (error) {
    return onFailure(error);
  }
}

/** Goes on with a value: at once when it is there, since a promise and its turns cost more than most steps. */
export const mapAwaitable = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value);
