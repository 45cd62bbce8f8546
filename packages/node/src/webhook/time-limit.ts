import { Fault } from "./fault.ts";

/** A signal that ends with a Fault as its reason, and its timer. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Frees the timer and the listener; the signal does not end any more. */
  clear(): void;
}

const longestTimer = 2 ** 31 - 1;

/**
 * Ends with `expired` after the milliseconds, at once when there are none, or before it when `outer` does: with its
 * Fault, or as `cancelled`.
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

/** Rejects with the signal's Fault when it ends before the work does, whose later end is ignored. */
export function before<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(faultOf(signal));
    const done = () => signal.removeEventListener("abort", giveUp);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    work.then(resolve, reject).finally(done);
  });
}

/** Why a signal ended; one of the caller's own has no Fault. */
export function faultOf(signal: AbortSignal): Fault {
  return signal.reason instanceof Fault ? signal.reason : new Fault("cancelled", "The call was cancelled.");
}
