import type { EndpointHandler } from "../edge/mount.ts";
import { decodePathId } from "../edge/request-url.ts";
import { jsonResponse } from "../ports/gateway-response.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { findModel, modelNotFound } from "../steps/pay.ts";
import { requireFunds } from "../steps/require-funds.ts";
import type { ModelFormOf } from "./model-form.ts";

/** GET /models/{id}: returns one model as in GET /models. Its id may contain slashes, percent-encoded or not. */
export const showModel =
  (formOf: ModelFormOf): EndpointHandler<Services> =>
  async (services, exchange, encodedId) => {
    const form = formOf(exchange.request);
    const admitted = await admit(services, exchange, form);
    try {
      await requireFunds(services, admitted.caller);
      const id = decodePathId(encodedId);
      const model = findModel(services, id);
      if (model === undefined || !admitted.caller.plan.allowsModel(admitted.caller.key, model.id))
        throw modelNotFound(id);
      return jsonResponse(200, admitted.exchange.headers, form.show(model.entry));
    } finally {
      admitted.slot.release();
    }
  };
