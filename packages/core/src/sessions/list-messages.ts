import type { AssistantServices } from "../assistant/assistant-services.ts";
import { type Answer, jsonAnswer } from "../edge/answer.ts";
import type { Incoming } from "../edge/incoming.ts";
import type { StoredMessage } from "../ports/session-store.ts";
import { admitRequest } from "../steps/admit-request.ts";
import { askStore } from "../steps/ask-store.ts";
import { authenticate } from "../steps/authenticate.ts";
import { requireTerms } from "../steps/require-terms.ts";
import { listPage, readPageRequest } from "./list-page.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** GET /session/{id}/messages: the history of the session, oldest first, a page at a time. */
export async function listMessages(services: AssistantServices, incoming: Incoming, id: string): Promise<Answer> {
  const authenticated = await authenticate(services, incoming);
  const consented = await requireTerms(services, authenticated);
  const admitted = await admitRequest(services, consented);
  try {
    const ref = sessionRef(admitted, id);
    const { limit, cursor } = readPageRequest(admitted.request, "after");
    const page = await askStore(
      services.storeTimeoutMs,
      () => services.sessions.messages(ref, cursor === undefined ? { limit } : { limit, after: cursor }),
      (given) => given === undefined || Array.isArray(given?.messages),
    );
    if (page === undefined) throw sessionNotFound();
    return jsonAnswer(200, admitted.trail.headers, listPage(page.messages.map(toEntry), page.next));
  } finally {
    admitted.run.end();
  }
}

/** The message as a chat completion takes it, with its place in the session as `id`. */
function toEntry({ sequence, at, message }: StoredMessage) {
  return { ...message, id: String(sequence), created_at: at.toISOString() };
}
