import { complete } from "../../answering/json/complete.ts";
import { type GatewayResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import { answerHeaders, type Held } from "../../request/request-stages.ts";
import type { CallServices, ContentServices } from "../../request/services.ts";
import { logCompletion } from "../../steps/log-content.ts";

/** Check 11 without streaming: returns the completion of the first target that succeeds as one JSON response. */
export async function answerJson(services: CallServices & ContentServices, held: Held): Promise<GatewayResponse> {
  const { json, jsonBytes, attempts } = await complete(services, held);
  if (services.content !== undefined) logCompletion(services.content, held, json);
  return jsonTextResponse(200, answerHeaders(held, attempts), json, jsonBytes);
}
