import { comesLater } from "../ports/awaitable.ts";
import type { Limiter, Reservation } from "../ports/limiter.ts";

/** Gives a reservation back with what was really used. A limiter that is down is left to the lease. */
export function settleReservation(limiter: Limiter, reservation: Reservation, tokensUsed: number): void {
  try {
    const settled = limiter.settle(reservation, tokensUsed);
    if (comesLater(settled)) Promise.resolve(settled).catch(() => undefined);
  } catch {
    // The lease frees the place, and the estimate stands until the window ends.
  }
}
