import type { AssistantServices } from "../assistant/assistant-services.ts";
import { type Answer, jsonAnswer } from "../edge/answer.ts";
import type { Incoming } from "../edge/incoming.ts";
import { admit } from "../steps/admit.ts";
import { askStore } from "../steps/ask-store.ts";
import { readBody } from "../steps/read-body.ts";
import { clientDataChanges, clientDataError } from "./client-data-changes.ts";
import { formLimit, readSessionForm } from "./session-form.ts";
import { isMergeResult, sessionRecord } from "./session-record.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** PUT /session/{id}: merges client data, key by key, where null removes a key; 200 with the session's record. */
export async function updateSession(services: AssistantServices, incoming: Incoming, id: string): Promise<Answer> {
  const admitted = await admit(services, incoming);
  try {
    const ref = sessionRef(admitted, id);
    const { clientData } = readSessionForm(await readBody(services, admitted, formLimit(services)));
    if (clientData === undefined) throw clientDataError('is required. Send a JSON object, such as {"user_id": "42"}.');
    const changes = clientDataChanges(clientData);
    const result = await askStore(services.storeTimeoutMs, () => services.sessions.merge(ref, changes), isMergeResult);
    if (result.outcome === "unknown") throw sessionNotFound();
    if (result.outcome === "refused") throw clientDataError(result.problem);
    return jsonAnswer(200, admitted.trail.headers, sessionRecord(result.session));
  } finally {
    admitted.run.end();
  }
}
