import type { AssistantServices } from "../assistant/assistant-services.ts";
import { type Answer, jsonAnswer } from "../edge/answer.ts";
import type { Incoming } from "../edge/incoming.ts";
import { admitRequest } from "../steps/admit-request.ts";
import { authenticate } from "../steps/authenticate.ts";
import { requireTerms } from "../steps/require-terms.ts";
import { findSession } from "./find-session.ts";
import { sessionRecord } from "./session-record.ts";
import { sessionRef } from "./session-ref.ts";

/** GET /session/{id}: the session's record. */
export async function showSession(services: AssistantServices, incoming: Incoming, id: string): Promise<Answer> {
  const authenticated = await authenticate(services, incoming);
  const consented = await requireTerms(services, authenticated);
  const admitted = await admitRequest(services, consented);
  try {
    const session = await findSession(services, sessionRef(admitted, id));
    return jsonAnswer(200, admitted.trail.headers, sessionRecord(session));
  } finally {
    admitted.run.end();
  }
}
