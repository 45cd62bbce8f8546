import { comesLater } from "../ports/awaitable.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { Run } from "./in-flight.ts";

/** Gives what a run has of its key's limits back, with what was really used. A limiter that is down is left to the lease. */
export function settleReservation(limiter: Limiter, run: Run, tokensUsed: number): void {
  const { reservation } = run;
  if (reservation === undefined) return;
  run.reservation = undefined;
  try {
    const settled = limiter.settle(reservation, tokensUsed);
    if (comesLater(settled)) Promise.resolve(settled).catch(() => undefined);
  } catch {
    // The lease frees the place, and the estimate stands until the window ends.
  }
}
