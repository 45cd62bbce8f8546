import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { StoredMessage } from "../../ports/session-store.ts";
import type { Exchange } from "../../request/exchange.ts";
import { admit } from "../../steps/admit.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { listPage, readPageRequest, toSequence } from "./list-page.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** GET /session/{id}/messages: returns a page of the session's messages, oldest first. */
export async function listMessages(
  services: AssistantServices,
  exchange: Exchange,
  id: string,
): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange);
  try {
    const ref = sessionRef(admitted.caller, id);
    const { size, cursor } = readPageRequest(admitted.exchange.request, "after", toSequence);
    const page = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.sessions.messages(ref, cursor === undefined ? size : { ...size, after: cursor }),
      (result) => result === undefined || Array.isArray(result?.messages),
    );
    if (page === undefined) throw sessionNotFound();
    return jsonResponse(200, admitted.exchange.headers, listPage(page.messages.map(toEntry), page.next));
  } finally {
    admitted.slot.release();
  }
}

/** Returns the message in the format of chat completions, with its sequence number as `id`. */
function toEntry({ sequence, at, message }: StoredMessage) {
  return { ...message, id: String(sequence), created_at: at.toISOString() };
}
