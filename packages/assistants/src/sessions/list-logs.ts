import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { AssistantServices } from "../config/assistant-services.ts";
import { listPage, readPageRequest, toSequence } from "./list-page.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** GET /session/{id}/logs: returns a page of the session's webhook calls, newest first. */
export async function listLogs(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  const ref = sessionRef(request, id);
  const { size, cursor } = readPageRequest(request.url, "before", toSequence);
  const page = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.logs(ref, cursor === undefined ? size : { ...size, before: cursor }),
    (result) => result === undefined || Array.isArray(result?.logs),
  );
  if (page === undefined) throw sessionNotFound();
  const logs = page.logs.map(({ log }) => log);
  return request.respond(200, listPage(logs, page.next));
}
