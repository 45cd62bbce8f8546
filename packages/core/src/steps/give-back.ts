import { settleReservation } from "../limits/settle-reservation.ts";
import type { Services } from "../services.ts";
import type { Admitted } from "./admit-request.ts";
import type { Reserved } from "./reserve-tokens.ts";

/** Takes the next steps of an admitted request; when one refuses, its run is over. */
export async function giveBackAdmission<T>(admitted: Admitted, next: () => Promise<T>): Promise<T> {
  try {
    return await next();
  } catch (error) {
    admitted.run.end();
    throw error;
  }
}

/** Takes the next step of a request with a reservation; when it refuses, tokens and place are given back too. */
export function giveBackReservation<T>(services: Services, reserved: Reserved, next: () => Promise<T>): Promise<T> {
  return giveBackAdmission(reserved, async () => {
    try {
      return await next();
    } catch (error) {
      if (reserved.reservation !== undefined) settleReservation(services.limiter, reserved.reservation, 0);
      throw error;
    }
  });
}
