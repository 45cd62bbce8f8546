import { describeError } from "../errors/describe-error.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type Awaitable, comesLater } from "../runtime/awaitable.ts";
import { withinTime } from "../runtime/timers.ts";

/**
 * Asks a store, and gives its answer at once when it is there at once. An outage, an answer later than `timeoutMs`,
 * and one that `isAnswer` does not know as one, are 503 `store_unavailable`: never a 401, a 402 or a 429.
 */
export function callStoreWithTimeout<T>(
  timeoutMs: number,
  ask: () => Awaitable<T>,
  isAnswer: (answer: T) => boolean,
): Awaitable<T> {
  const answer = attempt(ask);
  if (!comesLater(answer)) return checked(answer, isAnswer);
  return withinTime(answer, timeoutMs, storeUnavailable).then((late) => checked(late, isAnswer));
}

function attempt<T>(ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

function checked<T>(answer: T, isAnswer: (answer: T) => boolean): T {
  if (isAnswer(answer)) return answer;
  throw storeUnavailable(new Error("The store gave something else than its port says."));
}

/** The error of a store that failed or was too slow; the request can be sent again at once. */
export const storeUnavailable = (cause: unknown): GatewayError =>
  new GatewayError("store_unavailable", "The gateway's data store is unavailable. Try again in a moment.", {
    retryAfterSeconds: 1,
    cause: describeError(cause),
  });
