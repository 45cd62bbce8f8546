import { type GatewayResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import type { Exchange } from "../../request/exchange.ts";
import { admit } from "../../steps/admit.ts";
import { writeExactJson } from "../../wire/exact-json.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession } from "./find-session.ts";
import { sessionRecord } from "./session-record.ts";
import { sessionRef } from "./session-ref.ts";

/** GET /session/{id}: the session's record. */
export async function showSession(
  services: AssistantServices,
  exchange: Exchange,
  id: string,
): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange);
  try {
    const session = await findSession(services, sessionRef(admitted.caller, id));
    return jsonTextResponse(200, admitted.exchange.headers, writeExactJson(sessionRecord(session)));
  } finally {
    admitted.slot.release();
  }
}
