import { answerHeaders } from "../../answering/call/answer-headers.ts";
import { complete } from "../../answering/json/complete.ts";
import { type GatewayResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";

/** Check 11 without streaming: calls the provider and returns its completion as one JSON response. */
export function answerJson(services: Services, held: Held): Promise<GatewayResponse> {
  return complete(services, held, ({ json, jsonBytes, attempts }) =>
    jsonTextResponse(200, answerHeaders(held, attempts), json, jsonBytes),
  );
}
