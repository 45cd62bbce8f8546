/** A value or a promise of it. A memory store answers synchronously, and the request path then does not wait. */
export type Awaitable<T> = T | Promise<T>;

/** Returns true for a Promise or another thenable, which some database clients return in its place. */
export const comesLater = <T>(value: Awaitable<T>): value is Promise<T> =>
  value instanceof Promise ||
  (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function");

/** Calls `attempt`, and `onFailure` if it throws or rejects. */
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

/** Continues with a value, synchronously if it is no promise: a promise and its microtasks cost more than most steps. */
export const mapAwaitable = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value);
