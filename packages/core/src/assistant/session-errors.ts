import { GatewayError } from "../errors/gateway-error.ts";

/** The 404 of a session that is not there, has run out, or is another account's: one text for all. */
export const sessionNotFound = (): GatewayError =>
  new GatewayError("session_not_found", "There is no such session, or it has run out. Create one with POST /session.");

/** The 409 of a session that another turn has. */
export const sessionBusy = (): GatewayError =>
  new GatewayError("session_busy", "Another message of this session is being answered. Send this one again after it.", {
    retryAfterSeconds: 1,
  });
