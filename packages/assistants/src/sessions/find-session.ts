import { GatewayError } from "@tollgate/core";
import { type AdmittedRequest, callStoreWithTimeout } from "@tollgate/core/extension";
import type { Session, SessionLimits, SessionRef } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { isSession } from "./session-record.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the reference to a session of the key's account. Throws 404 for an id that is not a UUID. */
export function sessionRef({ account }: AdmittedRequest, id: string): SessionRef {
  // UUIDs are case-insensitive (RFC 9562, section 4), and stores compare text.
  const lowerId = id.toLowerCase();
  if (!uuid.test(lowerId)) throw sessionNotFound();
  return { id: lowerId, account };
}

/** The same 404 for a session that does not exist, has expired, or belongs to another account. */
export const sessionNotFound = (): GatewayError =>
  new GatewayError(
    "session_not_found",
    "The session does not exist. Check its id, or create a session with POST /session.",
  );

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

/** The 409 for a session that another turn has locked. */
export const sessionBusy = (): GatewayError =>
  new GatewayError(
    "session_busy",
    "Another message of this session is still being answered. Wait for that answer, then send this message again.",
    {
      retryAfterSeconds: 1,
    },
  );

/** The 403 for an account that has reached its limit on sessions, or on their bytes. */
export const sessionLimitReached = (limits: Required<SessionLimits>, limit: keyof SessionLimits): GatewayError =>
  new GatewayError(
    "session_limit_reached",
    limit === "sessions"
      ? `This account has reached its limit of ${limits.sessions} sessions. Delete some with DELETE /session/{id}.`
      : `This request would exceed the limit of ${limits.bytes} bytes for all sessions of this account. Delete some with DELETE /session/{id}.`,
    { metadata: { limit, most: limits[limit] } },
  );
