import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";
import type { Admitted, RequestContext } from "../request/request-stages.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { requireFunds } from "../steps/require-funds.ts";
import type { JsonObject } from "../wire/json.ts";
import { anthropicPage, isAnthropicClient, modelKeyHeaders } from "./anthropic-models.ts";

/** GET /models: lists the models that the key may use, in the configured order. Clients of Anthropic's API get its form. */
export async function listModels(services: Services, context: RequestContext): Promise<GatewayResponse> {
  const { request } = context;
  const isAnthropic = isAnthropicClient(request);
  const admitted = await admit(services, context, { keyHeaders: modelKeyHeaders(isAnthropic) });
  try {
    await requireFunds(services, admitted);
    const data = visibleModels(services, admitted);
    return jsonResponse(
      200,
      admitted.meta.headers,
      isAnthropic ? anthropicPage(data, request) : { object: "list", data },
    );
  } finally {
    admitted.run.end();
  }
}

function visibleModels(services: Services, { key, plan }: Admitted): JsonObject[] {
  const models = [...services.models.current().values()];
  return models.filter(({ id }) => plan.allowsModel(key, id)).map(({ entry }) => entry);
}
