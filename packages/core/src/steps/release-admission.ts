import { settleReservation } from "../limits/limiter-results.ts";
import type { Admitted } from "../request/request-stages.ts";
import type { LimitServices } from "../request/services.ts";

/** Releases what a request that was refused after its admission has reserved: its tokens, its concurrency and its run. */
export function releaseAdmission(services: LimitServices, admitted: Admitted): void {
  settleReservation(services.limiter, admitted, 0);
  admitted.run.end();
}
