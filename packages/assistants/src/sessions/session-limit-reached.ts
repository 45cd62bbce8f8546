import { GatewayError } from "@tollgate/core";
import type { SessionLimits } from "@tollgate/core/store";

/** The 403 for an account that has reached its limit on sessions, or on their bytes. */
export const sessionLimitReached = (limits: Required<SessionLimits>, limit: keyof SessionLimits): GatewayError =>
  new GatewayError(
    "session_limit_reached",
    limit === "sessions"
      ? `This account has reached its limit of ${limits.sessions} sessions. Delete some with DELETE /session/{id}.`
      : `This request would exceed the limit of ${limits.bytes} bytes for all sessions of this account. Delete some with DELETE /session/{id}.`,
    { metadata: { limit, most: limits[limit] } },
  );
