import { decodePathId } from "../edge/request-url.ts";
import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";
import type { RequestContext } from "../request/request-stages.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { modelNotFound } from "../steps/prepare-and-hold.ts";
import { requireFunds } from "../steps/require-funds.ts";
import { anthropicModel, isAnthropicClient, modelKeyHeaders } from "./anthropic-models.ts";

/** GET /models/{id}: returns one model as in GET /models. Its id may contain slashes, percent-encoded or not. */
export async function showModel(
  services: Services,
  context: RequestContext,
  encodedId: string,
): Promise<GatewayResponse> {
  const isAnthropic = isAnthropicClient(context.request);
  const admitted = await admit(services, context, { keyHeaders: modelKeyHeaders(isAnthropic) });
  try {
    await requireFunds(services, admitted);
    const id = decodePathId(encodedId);
    const model = services.models.current().get(id);
    if (model === undefined || !admitted.plan.allowsModel(admitted.key, id)) throw modelNotFound(id);
    return jsonResponse(200, admitted.meta.headers, isAnthropic ? anthropicModel(model.entry) : model.entry);
  } finally {
    admitted.run.end();
  }
}
