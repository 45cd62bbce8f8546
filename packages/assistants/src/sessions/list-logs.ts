import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonTextResponse } from "../../ports/gateway-response.ts";
import type { Exchange } from "../../request/exchange.ts";
import { admit } from "../../steps/admit.ts";
import { writeExactJson } from "../../wire/exact-json.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { listPage, readPageRequest, toSequence } from "./list-page.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** GET /session/{id}/logs: returns a page of the session's webhook calls, newest first. */
export async function listLogs(services: AssistantServices, exchange: Exchange, id: string): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange);
  try {
    const ref = sessionRef(admitted.caller, id);
    const { size, cursor } = readPageRequest(admitted.exchange.request, "before", toSequence);
    const page = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.sessions.logs(ref, cursor === undefined ? size : { ...size, before: cursor }),
      (result) => result === undefined || Array.isArray(result?.logs),
    );
    if (page === undefined) throw sessionNotFound();
    const logs = page.logs.map(({ log }) => log);
    return jsonTextResponse(200, admitted.exchange.headers, writeExactJson(listPage(logs, page.next)));
  } finally {
    admitted.slot.release();
  }
}
