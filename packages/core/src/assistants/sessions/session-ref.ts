import { GatewayError } from "../../errors/gateway-error.ts";
import type { SessionRef } from "../../ports/session-store.ts";
import type { Authenticated } from "../../request/request-stages.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The session that the path of a request names, of the account of its key; 404 for what can be no session's id. */
export function sessionRef({ key }: Authenticated, id: string): SessionRef {
  // A UUID is read in either case (RFC 9562, section 4), and a store compares texts.
  const name = id.toLowerCase();
  if (!uuid.test(name)) throw sessionNotFound();
  return { id: name, account: key.account };
}

/** The one answer for a session that is not there, that has expired, and that of another account. */
export const sessionNotFound = (): GatewayError =>
  new GatewayError(
    "session_not_found",
    "The session does not exist. Check its id, or create a session with POST /session.",
  );
