import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { AssistantServices } from "../config/assistant-services.ts";
import { clientDataChanges, clientDataError } from "./client-data-changes.ts";
import { formLimit, readSessionForm } from "./session-form.ts";
import { sessionLimitReached } from "./session-limit-reached.ts";
import { isMergeResult, sessionRecord } from "./session-record.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** PUT /session/{id}: merges client data, key by key, where null removes a key; 200 with the session's record. */
export async function updateSession(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  const ref = sessionRef(request, id);
  const { clientData } = await readSessionForm(request.client, await request.readBody(formLimit(services)));
  if (clientData === undefined) throw clientDataError('is required. Send a JSON object, such as {"user_id": "42"}.');
  const changes = clientDataChanges(clientData);
  const { sessionLimits: limits } = services;
  const merge = () => services.sessions.merge(ref, changes, limits);
  const result = await callStoreWithTimeout(services.storeTimeoutMs, merge, isMergeResult);
  if (result.outcome === "full") throw sessionLimitReached(limits, "bytes");
  if (result.outcome === "unknown") throw sessionNotFound();
  if (result.outcome === "refused") throw clientDataError(result.problem);
  return request.respond(200, sessionRecord(result.session));
}
