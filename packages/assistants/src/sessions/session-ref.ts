import { GatewayError } from "@tollgate/core";
import type { AdmittedRequest } from "@tollgate/core/extension";
import type { SessionRef } from "@tollgate/core/store";

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
