import { type Answer, writtenAnswer } from "../../ports/answer.ts";
import type { Incoming } from "../../request/incoming.ts";
import { admit } from "../../steps/admit.ts";
import { writeExactJson } from "../../wire/exact-json.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession } from "./find-session.ts";
import { sessionRecord } from "./session-record.ts";
import { sessionRef } from "./session-ref.ts";

/** GET /session/{id}: the session's record. */
export async function showSession(services: AssistantServices, incoming: Incoming, id: string): Promise<Answer> {
  const admitted = await admit(services, incoming);
  try {
    const session = await findSession(services, sessionRef(admitted, id));
    return writtenAnswer(200, admitted.trail.headers, writeExactJson(sessionRecord(session)));
  } finally {
    admitted.run.end();
  }
}
