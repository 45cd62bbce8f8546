import { GatewayError } from "@tollgate/core";
import {
  type AdmittedRequest,
  callStoreWithTimeout,
  clientDataProblem,
  type GatewayResponse,
  isJsonMembers,
} from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import { type ClientData, type ClientDataChanges, mergeClientData } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { modelRequest } from "../config/model-request.ts";
import type { Assistant } from "../definition/assistant.ts";
import { findSession, sessionLimitReached, sessionNotFound, sessionRef } from "./find-session.ts";
import { formLimit, readSessionForm } from "./session-form.ts";
import { isCreateResult, isMergeResult, sessionRecord } from "./session-record.ts";
import type { SessionSweep } from "./session-sweep.ts";

/** POST /session: creates a session with an assistant. Returns 201 with its record, and its path in `Location`. */
export async function createSession(
  services: AssistantServices,
  sweep: SessionSweep,
  request: AdmittedRequest,
): Promise<GatewayResponse> {
  sweep.start(request.client);
  const form = await readSessionForm(request.client, await request.readBody(formLimit(services)));
  const assistant = findAssistant(services, form.assistantId);
  // The error is the one that the first turn would get.
  request.requireModel(modelRequest(assistant, [{ role: "user", content: "" }], "first"));
  const clientData = initialClientData(form.clientData);
  const id = crypto.randomUUID();
  const { account } = request;
  const { sessionTtlMs: ttlMs, sessionLimits: limits } = services;
  const result = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.create({ id, account, assistantId: assistant.id, clientData, ttlMs, limits }),
    isCreateResult,
  );
  if (result.outcome === "full") throw sessionLimitReached(limits, result.limit);
  return request.respond(201, sessionRecord(result.session), { location: `${pathOf(request)}${id}` });
}

function findAssistant(services: AssistantServices, id: Json | undefined): Assistant {
  const assistant = typeof id === "string" ? services.assistants.current().get(id) : undefined;
  if (assistant !== undefined) return assistant;
  const problem =
    typeof id === "string"
      ? "does not name an assistant of this service. Send the id of a configured assistant."
      : "is required. Send the id of an assistant as a string.";
  throw new GatewayError("invalid_request", `\`assistant_id\` ${problem}`, { param: "assistant_id" });
}

function initialClientData(value: Json | undefined): ClientData {
  if (value === undefined || value === null) return {};
  const merged = mergeClientData({}, clientDataChanges(value));
  if ("problem" in merged) throw clientDataError(merged.problem);
  return merged.clientData;
}

/** The path of the request with a trailing slash, including the prefix of the mount. Two slashes at its start would denote a host. */
function pathOf({ url }: AdmittedRequest): string {
  const path = url.pathname.replace(/^\/+/, "/");
  return path.endsWith("/") ? path : `${path}/`;
}

/** GET /session/{id}: the session's record. */
export async function showSession(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  return request.respond(200, sessionRecord(await findSession(services, sessionRef(request, id))));
}

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

/** Returns the changes in a client's `client_data`. Throws 400 for a value that is not valid client data. */
function clientDataChanges(value: Json): ClientDataChanges {
  if (!isJsonMembers(value)) throw clientDataError('must be a JSON object. Send one, such as {"user_id": "42"}.');
  const changes = Object.entries(value);
  for (const [key, member] of changes) {
    const problem = clientDataProblem(key, member);
    if (problem !== undefined) throw clientDataError(problem);
  }
  return changes;
}

/** The 400 for invalid client data. `problem` continues a sentence that begins with "client_data". */
const clientDataError = (problem: string): GatewayError =>
  new GatewayError("invalid_request", `\`client_data\` ${problem}`, { param: "client_data" });
