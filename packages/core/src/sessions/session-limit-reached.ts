import { GatewayError } from "../errors/gateway-error.ts";
import type { SessionLimits } from "../ports/session-store.ts";

/** The 403 of an account that has as many sessions, or bytes of them, as it may. */
export const sessionLimitReached = (limits: Required<SessionLimits>, limit: keyof SessionLimits): GatewayError =>
  new GatewayError(
    "session_limit_reached",
    limit === "sessions"
      ? `This account has ${limits.sessions} sessions, which is the most it may have. Delete some with DELETE /session/{id}.`
      : `The sessions of this account may have ${limits.bytes} bytes together, and this would be more. Delete some with DELETE /session/{id}.`,
    { metadata: { limit, most: limits[limit] } },
  );
