import { GatewayError } from "../../errors/gateway-error.ts";
import type { SessionLimits } from "../../ports/session-store.ts";

/** The 403 of an account that has as many sessions, or bytes of them, as it may. */
export const sessionLimitReached = (limits: Required<SessionLimits>, limit: keyof SessionLimits): GatewayError =>
  new GatewayError(
    "session_limit_reached",
    limit === "sessions"
      ? `This account has reached its limit of ${limits.sessions} sessions. Delete some with DELETE /session/{id}.`
      : `This request would exceed the limit of ${limits.bytes} bytes for all sessions of this account. Delete some with DELETE /session/{id}.`,
    { metadata: { limit, most: limits[limit] } },
  );
