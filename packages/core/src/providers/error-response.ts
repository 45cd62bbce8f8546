import type { ProviderError } from "../errors/provider-error.ts";
import { readErrorPayload } from "../failures/error-payload.ts";
import { type FailureContext, toProviderError } from "../failures/failure.ts";
import { readRetryAfter } from "../failures/retry-after.ts";
import type { TransportResponse } from "../ports/transport.ts";
import { collectStart } from "./byte-streams.ts";

const longestBody = 65_536;
const longestWaitMs = 2_000;

/**
 * Sorts an answer whose status is not 2xx. Reads at most 64 KiB of its body and waits at most 2 seconds for it;
 * the rest is cancelled. Never throws: the ProviderError is the result.
 */
export async function sortErrorResponse(
  response: TransportResponse,
  context: FailureContext = {},
): Promise<ProviderError> {
  const body = await collectStart(response.body, longestBody, longestWaitMs);
  // Compressed words are noise, which no client should be shown.
  const payload = readErrorPayload(isCompressed(response) ? undefined : new TextDecoder().decode(body));
  const retryAfterSeconds = readRetryAfter((name) => response.header(name)) ?? payload.retryAfterSeconds;
  return toProviderError(response.status, { ...payload, retryAfterSeconds }, context);
}

/** True for a body in an encoding that nobody asked for, since `identity` is what requests say. */
export function isCompressed(response: TransportResponse): boolean {
  const encoding = response.header("content-encoding");
  return encoding !== undefined && encoding !== "" && encoding !== "identity";
}
