import { jsonResponse } from "../ports/gateway-response.ts";
import type { Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { requireFunds } from "../steps/require-funds.ts";
import type { JsonObject } from "../wire/json.ts";
import { modelFormOf } from "./anthropic-models.ts";
import type { EndpointHandler } from "./mount.ts";

/** GET /models: lists the models that the key may use, in the configured order and in the form of the client. */
export const listModels: EndpointHandler<Services> = async (services, exchange) => {
  const { request, headers } = exchange;
  const form = modelFormOf(request);
  const { caller, slot } = await admit(services, exchange, form);
  try {
    await requireFunds(services, caller);
    return jsonResponse(200, headers, form.list(visibleModels(services, caller), request));
  } finally {
    slot.release();
  }
};

function visibleModels(services: Services, { key, plan }: Caller): JsonObject[] {
  const models = [...services.models.current().values()];
  return models.filter(({ id }) => plan.allowsModel(key, id)).map(({ entry }) => entry);
}
