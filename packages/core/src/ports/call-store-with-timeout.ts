import { describeError } from "../errors/describe-error.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type Awaitable, isPromiseLike } from "../runtime/awaitable.ts";
import { withinTime } from "../runtime/timers.ts";

/**
 * Calls a store and checks its result. A synchronous result is returned synchronously. A throw, a result later than
 * `timeoutMs`, and one that `isValid` rejects become 503 `store_unavailable`, never a 401, 402 or 429.
 */
export function callStoreWithTimeout<T>(
  timeoutMs: number,
  call: () => Awaitable<T>,
  isValid: (result: T) => boolean,
): Awaitable<T> {
  const result = attempt(call);
  if (!isPromiseLike(result)) return checked(result, isValid);
  return withinTime(result, timeoutMs, storeUnavailable).then((resolved) => checked(resolved, isValid));
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

function checked<T>(result: T, isValid: (result: T) => boolean): T {
  if (isValid(result)) return result;
  throw storeUnavailable(new Error("The store returned a value that its port does not allow. Correct the store."));
}

/** The 503 for a store that failed or timed out. Clients may retry at once. */
export const storeUnavailable = (cause: unknown): GatewayError =>
  new GatewayError("store_unavailable", "The gateway's data store is unavailable. Try again in a moment.", {
    retryAfterSeconds: 1,
    cause: describeError(cause),
  });
