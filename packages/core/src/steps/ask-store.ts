import { GatewayError } from "../errors/gateway-error.ts";
import { type Awaitable, comesLater } from "../ports/awaitable.ts";

/**
 * Asks a store, and gives its answer at once when it is there at once. An outage or an answer later than
 * `timeoutMs` is 503 `store_unavailable`: never a 401, never a 402.
 */
export function askStore<T>(timeoutMs: number, ask: () => Awaitable<T>): Awaitable<T> {
  try {
    const answer = ask();
    return comesLater(answer) ? withinTime(answer, timeoutMs) : answer;
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

function withinTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(storeUnavailable(new Error(`no answer in ${timeoutMs} ms`))), timeoutMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (cause) => {
        clearTimeout(timer);
        reject(storeUnavailable(cause));
      },
    );
  });
}

/** The error of a store that failed or was too slow; the request can be sent again at once. */
export const storeUnavailable = (cause: unknown): GatewayError =>
  new GatewayError("store_unavailable", "The gateway cannot reach its records right now. Try again in a moment.", {
    retryAfterSeconds: 1,
    cause,
  });
