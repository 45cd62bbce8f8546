import { jsonResponse } from "../ports/gateway-response.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { findModel, modelNotFound } from "../steps/pay.ts";
import { requireFunds } from "../steps/require-funds.ts";
import { modelFormOf } from "./anthropic-models.ts";
import type { EndpointHandler } from "./mount.ts";
import { decodePathId } from "./request-url.ts";

/** GET /models/{id}: returns one model as in GET /models. Its id may contain slashes, percent-encoded or not. */
export const showModel: EndpointHandler<Services> = async (services, exchange, encodedId) => {
  const form = modelFormOf(exchange.request);
  const { caller, slot } = await admit(services, exchange, form);
  try {
    await requireFunds(services, caller);
    const id = decodePathId(encodedId);
    const model = findModel(services, id);
    if (model === undefined || !caller.plan.allowsModel(caller.key, model.id)) throw modelNotFound(id);
    return jsonResponse(200, exchange.headers, form.show(model.entry));
  } finally {
    slot.release();
  }
};
