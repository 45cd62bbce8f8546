import type { ClientRequest } from "../ports/client-request.ts";
import type { Limiter, Reservation } from "../ports/limiter.ts";
import { comesLater } from "../runtime/awaitable.ts";
import type { Run } from "./in-flight.ts";

/** A run, and the request whose host may have to be kept running for what is given back. */
interface Running {
  readonly run: Run;
  readonly request: Pick<ClientRequest, "waitUntil">;
}

/** Gives what a run has of its key's limits back, with what was really used. A limiter that is down is left to the lease. */
export function settleReservation(limiter: Limiter, { run, request }: Running, tokensUsed: number): void {
  const { reservation } = run;
  if (reservation === undefined) return;
  run.reservation = undefined;
  settle(limiter, request, reservation, tokensUsed);
}

/** Gives the place of a run among its key's concurrent requests back, whose tokens are settled later. */
export function freePlace(limiter: Limiter, { run, request }: Running): void {
  run.leaveKey();
  const { reservation } = run;
  if (reservation?.concurrency === undefined) return;
  const { tokens } = reservation;
  run.reservation = tokens && { ...reservation, concurrency: undefined };
  // The tokens stay as they were reserved, also in a limiter that would settle all at once.
  settle(limiter, request, { ...reservation, tokens: undefined }, tokens?.amount ?? 0);
}

function settle(
  limiter: Limiter,
  { waitUntil }: Running["request"],
  reservation: Reservation,
  tokensUsed: number,
): void {
  try {
    const settled = limiter.settle(reservation, tokensUsed);
    if (!comesLater(settled)) return;
    const done = Promise.resolve(settled).catch(() => undefined);
    waitUntil?.(done);
  } catch {
    // The lease frees the place, and the estimate stands until the window ends.
  }
}
