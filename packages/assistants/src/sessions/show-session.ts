import type { AdmittedRequest, GatewayResponse } from "@tollgate/core/extension";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession } from "./find-session.ts";
import { sessionRecord } from "./session-record.ts";
import { sessionRef } from "./session-ref.ts";

/** GET /session/{id}: the session's record. */
export async function showSession(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  return request.respond(200, sessionRecord(await findSession(services, sessionRef(request, id))));
}
