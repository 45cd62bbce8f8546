import { GatewayError } from "../errors/gateway-error.ts";
import type { Held, Parsed, Selected, WithBody } from "../request/request-stages.ts";
import type { CatalogueServices, HoldServices, LimitServices } from "../request/services.ts";
import { checkFeatures, checkParameters } from "./check-request.ts";
import { holdBalance } from "./hold-balance.ts";
import { parseRequest } from "./parse-request.ts";
import { reserveTokens } from "./reserve-tokens.ts";

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

/** Check 6: the model. The answer does not tell an unknown model from one of others. */
export function selectModel(services: CatalogueServices, parsed: Parsed): Selected {
  const { content, plan, key } = parsed;
  const model = services.models.current().get(content.chat.model);
  if (model === undefined || !plan.allowsModel(key, model.id)) {
    throw modelNotFound(content.chat.model);
  }
  return { ...parsed, model };
}

/** The refusal of a model that there is not, or that the key may not use: one text for both. */
export const modelNotFound = (id: string): GatewayError =>
  new GatewayError(
    "model_not_found",
    `The model \`${id.slice(0, 128)}\` does not exist or is not available to this key. GET /models lists the models that are.`,
    { param: "model" },
  );
