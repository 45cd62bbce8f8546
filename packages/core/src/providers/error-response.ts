import type { ProviderError } from "../errors/provider-error.ts";
import { readErrorPayload } from "../failures/error-payload.ts";
import { type FailureContext, toProviderError } from "../failures/failure.ts";
import { readRetryAfter } from "../failures/retry-after.ts";
import type { TransportResponse } from "../ports/transport.ts";
import { collectStart } from "./byte-streams.ts";

const maxBodyBytes = 65_536;
const maxWaitMs = 2_000;

/**
 * Classifies a response whose status is not 2xx. Reads at most 64 KiB of its body for at most 2 seconds, and cancels the
 * rest. Never rejects: it resolves to the ProviderError.
 */
export async function sortErrorResponse(
  response: TransportResponse,
  context: FailureContext = {},
): Promise<ProviderError> {
  const body = await collectStart(response.body, maxBodyBytes, maxWaitMs);
  // A compressed body has no text to read.
  const payload = readErrorPayload(isCompressed(response) ? undefined : new TextDecoder().decode(body));
  const retryAfterSeconds = readRetryAfter((name) => response.header(name)) ?? payload.retryAfterSeconds;
  return toProviderError(response.status, { ...payload, retryAfterSeconds }, context);
}

/** Returns true for a compressed body, although every request accepts `identity` only. */
export function isCompressed(response: TransportResponse): boolean {
  const encoding = response.header("content-encoding");
  return encoding !== undefined && encoding !== "" && encoding !== "identity";
}
