import { GatewayError } from "@tollgate/core";

/** The 409 for a session that another turn has locked. */
export const sessionBusy = (): GatewayError =>
  new GatewayError(
    "session_busy",
    "Another message of this session is still being answered. Wait for that answer, then send this message again.",
    {
      retryAfterSeconds: 1,
    },
  );
