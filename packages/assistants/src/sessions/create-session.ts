import { GatewayError } from "@tollgate/core";
import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import { type ClientData, mergeClientData } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { modelRequest } from "../config/model-request.ts";
import type { Assistant } from "../definition/assistant.ts";
import { clientDataChanges, clientDataError } from "./client-data-changes.ts";
import { formLimit, readSessionForm } from "./session-form.ts";
import { sessionLimitReached } from "./session-limit-reached.ts";
import { isCreateResult, sessionRecord } from "./session-record.ts";
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
