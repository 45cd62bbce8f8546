import { Fault } from "./fault.ts";

/** A signal that aborts with a Fault as its reason, and its cleanup. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Clears the timer and the listener. The signal does not abort after this. */
  clear(): void;
}

const longestTimer = 2 ** 31 - 1;

/**
 * Creates a signal that aborts with `expired` after the given milliseconds, or at once for 0 or less. It aborts earlier
 * if `outer` aborts, with the Fault of `outer` or else with `cancelled`.
 */
export function timeLimit(outer: AbortSignal, milliseconds: number, expired: Fault): TimeLimit {
  const controller = new AbortController();
  const follow = () => controller.abort(faultOf(outer));
  const expire = () => controller.abort(expired);
  const timer = setTimeout(expire, Math.min(milliseconds, longestTimer));
  outer.addEventListener("abort", follow);
  if (outer.aborted) follow();
  if (!(milliseconds > 0)) expire();
  const clear = () => {
    clearTimeout(timer);
    outer.removeEventListener("abort", follow);
  };
  return { signal: controller.signal, clear };
}

/** Settles like `work`, but rejects with the signal's Fault if the signal aborts first. */
export function before<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(faultOf(signal));
    const done = () => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(done);
  });
}

/** The Fault of an aborted signal, or a `cancelled` Fault if the caller aborted with another reason. */
export function faultOf(signal: AbortSignal): Fault {
  return signal.reason instanceof Fault ? signal.reason : new Fault("cancelled", "The webhook call was cancelled.");
}
