import { GatewayError } from "@tollgate/core";
import type { ClientRequest } from "@tollgate/core/internal";

/** Returns the `Idempotency-Key` of a request. Throws 400 for one that a ledger should not have. */
export function readIdempotencyKey(request: ClientRequest): string | undefined {
  const key = request.header("idempotency-key");
  if (key === undefined || /^[\x21-\x7e]{1,128}$/.test(key)) return key;
  throw new GatewayError(
    "invalid_request",
    "`Idempotency-Key` must have 1 to 128 visible ASCII characters, such as a UUID.",
    { param: "idempotency-key" },
  );
}
