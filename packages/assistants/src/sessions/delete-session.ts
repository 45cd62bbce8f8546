import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { AssistantServices } from "../config/assistant-services.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** DELETE /session/{id}: removes the session with its messages and logs. Returns 204. */
export async function deleteSession(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  const ref = sessionRef(request, id);
  const existed = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.delete(ref),
    (result) => typeof result === "boolean",
  );
  if (!existed) throw sessionNotFound();
  return request.respond(204);
}
