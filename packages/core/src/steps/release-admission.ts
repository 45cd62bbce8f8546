import { settleReservation } from "../limits/limiter-results.ts";
import type { Admitted } from "../request/request-stages.ts";
import type { LimitServices } from "../request/services.ts";

/** Gives back what a request took that was refused after it was admitted: tokens, its place, and its run. */
export function releaseAdmission(services: LimitServices, admitted: Admitted): void {
  settleReservation(services.limiter, admitted, 0);
  admitted.run.end();
}
