import { GatewayError } from "../errors/gateway-error.ts";

/** The 409 of a session that another turn has. */
export const sessionBusy = (): GatewayError =>
  new GatewayError("session_busy", "Another message of this session is being answered. Send this one again after it.", {
    retryAfterSeconds: 1,
  });
