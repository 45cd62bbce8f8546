import { callStoreWithTimeout } from "@tollgate/core/extension";
import type { Session, SessionRef } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { isSession } from "./session-record.ts";
import { sessionNotFound } from "./session-ref.ts";

/** Loads a session. Rejects with 404 if it does not exist. */
export async function findSession(services: AssistantServices, ref: SessionRef): Promise<Session> {
  const session = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.find(ref),
    (result) => result === undefined || isSession(result),
  );
  if (session === undefined) throw sessionNotFound();
  return session;
}
