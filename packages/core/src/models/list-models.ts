import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";
import type { Admitted, RequestContext } from "../request/request-stages.ts";
import type { Services } from "../request/services.ts";
import { admit } from "../steps/admit.ts";
import { requireFunds } from "../steps/require-funds.ts";

/** GET /models: lists the models that the key may use, in the configured order. */
export async function listModels(services: Services, context: RequestContext): Promise<GatewayResponse> {
  const admitted = await admit(services, context);
  try {
    await requireFunds(services, admitted);
    return jsonResponse(200, admitted.meta.headers, { object: "list", data: visibleModels(services, admitted) });
  } finally {
    admitted.run.end();
  }
}

function visibleModels(services: Services, { key, plan }: Admitted): unknown[] {
  const models = [...services.models.current().values()];
  return models.filter(({ id }) => plan.allowsModel(key, id)).map(({ entry }) => entry);
}
