import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { StoredMessage } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { listPage, readPageRequest, toSequence } from "./list-page.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** GET /session/{id}/messages: returns a page of the session's messages, oldest first. */
export async function listMessages(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  const ref = sessionRef(request, id);
  const { size, cursor } = readPageRequest(request.url, "after", toSequence);
  const page = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.messages(ref, cursor === undefined ? size : { ...size, after: cursor }),
    (result) => result === undefined || Array.isArray(result?.messages),
  );
  if (page === undefined) throw sessionNotFound();
  return request.respond(200, listPage(page.messages.map(toEntry), page.next));
}

/** Returns the message in the format of chat completions, with its sequence number as `id`. */
function toEntry({ sequence, at, message }: StoredMessage) {
  return { ...message, id: String(sequence), created_at: at.toISOString() };
}
