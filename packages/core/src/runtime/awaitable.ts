/** A value or a promise of it. A memory store answers synchronously, and the request path then does not wait. */
export type Awaitable<T> = T | Promise<T>;

/** Returns true for a Promise or another thenable, which some database clients return in its place. */
export const isPromiseLike = <T>(value: Awaitable<T>): value is Promise<T> =>
  value instanceof Promise ||
  (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function");
