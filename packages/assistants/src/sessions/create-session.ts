import { requestUrl } from "../../edge/request-url.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type ClientData, mergeClientData } from "../../ports/client-data.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import { type GatewayResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import type { Exchange } from "../../request/exchange.ts";
import { admit } from "../../steps/admit.ts";
import { readBody } from "../../steps/read-body.ts";
import { writeExactJson } from "../../wire/exact-json.ts";
import type { Json } from "../../wire/json.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { Assistant } from "../definition/assistant.ts";
import { clientDataChanges, clientDataError } from "./client-data-changes.ts";
import { requireModel } from "./require-model.ts";
import { formLimit, readSessionForm } from "./session-form.ts";
import { sessionLimitReached } from "./session-limit-reached.ts";
import { isCreateResult, sessionRecord } from "./session-record.ts";
import type { SessionSweep } from "./session-sweep.ts";

/** POST /session: creates a session with an assistant. Returns 201 with its record, and its path in `Location`. */
export async function createSession(
  services: AssistantServices,
  sweep: SessionSweep,
  exchange: Exchange,
): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange);
  try {
    sweep.start(admitted.exchange.request);
    const form = await readSessionForm(exchange.request, await readBody(services, admitted, formLimit(services)));
    const assistant = findAssistant(services, form.assistantId);
    await requireModel(services, admitted, assistant);
    const clientData = initialClientData(form.clientData);
    const id = crypto.randomUUID();
    const { account } = admitted.caller.key;
    const { sessionTtlMs: ttlMs, sessionLimits: limits } = services;
    const result = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.sessions.create({ id, account, assistantId: assistant.id, clientData, ttlMs, limits }),
      isCreateResult,
    );
    if (result.outcome === "full") throw sessionLimitReached(limits, result.limit);
    const headers = { ...admitted.exchange.headers, location: `${pathOf(admitted.exchange.request)}${id}` };
    return jsonTextResponse(201, headers, writeExactJson(sessionRecord(result.session)));
  } finally {
    admitted.slot.release();
  }
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
function pathOf(request: ClientRequest): string {
  const path = requestUrl(request).pathname.replace(/^\/+/, "/");
  return path.endsWith("/") ? path : `${path}/`;
}
