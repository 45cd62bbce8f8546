import type { Held, WithBody } from "../request/request-stages.ts";
import type { CatalogueServices, HoldServices, LimitServices } from "../request/services.ts";
import { checkFeatures } from "./check-features.ts";
import { checkParameters } from "./check-parameters.ts";
import { holdBalance } from "./hold-balance.ts";
import { parseRequest } from "./parse-request.ts";
import { reserveTokens } from "./reserve-tokens.ts";
import { selectModel } from "./select-model.ts";

/** Checks 5 to 10, from a body to a request that is paid for; a turn takes each call of its model through them too. */
export async function prepareAndHold(
  services: CatalogueServices & LimitServices & HoldServices,
  withBody: WithBody,
): Promise<Held> {
  const parsed = await parseRequest(withBody);
  const permitted = checkFeatures(selectModel(services, parsed));
  const reserved = await reserveTokens(services, checkParameters(permitted));
  return await holdBalance(services, reserved);
}
