import { ProviderError } from "../errors/provider-error.ts";
import type { ProviderCall } from "../ports/provider-adapter.ts";
import type { TransportResponse } from "../ports/transport.ts";
import { readErrorPayload, readRetryAfter } from "../upstream/error-payload.ts";
import { type FailureContext, toProviderError } from "../upstream/failure.ts";
import { collectStart } from "./byte-streams.ts";

/** The HTTP request of a call to its upstream. */
export interface UpstreamPost {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: Uint8Array | string;
}

/** What sending needs of a call in any dialect. */
type SentCall = Pick<ProviderCall, "cancellation" | "connectMs" | "requestId" | "transport">;

/**
 * Sends a call to its upstream over the call's transport. Resolves to an uncompressed 2xx response. Rejects with a
 * ProviderError for any other, or with the reason of a cancelled call. `context` is called only for an error.
 */
export function sendCall(
  call: SentCall,
  post: UpstreamPost,
  context: () => FailureContext,
): Promise<TransportResponse> {
  return startCall(call, post).then((response) =>
    isUsable(response) ? response : rejectUnusable(call, response, context()),
  );
}

/** Sends a call and resolves to any response, which the caller checks with {@link isUsable}. Saves a promise per call. */
export function startCall(call: SentCall, { url, headers, body }: UpstreamPost): Promise<TransportResponse> {
  const { cancellation: signal, connectMs, requestId } = call;
  return call.transport({ method: "POST", url, headers: withRequestId(headers, requestId), body, signal, connectMs });
}

/** The member comes before the spread, since V8 adds a member to a spread object ten times as slowly. It is set again, since the host's headers must not replace it. */
function withRequestId(callHeaders: UpstreamPost["headers"], requestId: string): Record<string, string> {
  const headers: Record<string, string> = { "x-request-id": requestId, ...callHeaders };
  headers["x-request-id"] = requestId;
  return headers;
}

/** Returns true for an uncompressed 2xx response. */
export const isUsable = (response: TransportResponse): boolean => isSuccess(response) && !isCompressed(response);

const isSuccess = ({ status }: TransportResponse): boolean => status >= 200 && status <= 299;

/** Rejects with the error of a response that is not usable. */
export async function rejectUnusable(
  call: SentCall,
  response: TransportResponse,
  context: FailureContext,
): Promise<never> {
  if (!isSuccess(response)) throw await toError(call, response, context);
  response.body.cancel();
  const { provider = "The provider" } = context;
  throw new ProviderError(
    "invalid_response",
    `${provider} answered with a compressed body, although only identity was accepted. Check the proxies between this server and the provider.`,
  );
}

/** Returns true for a response with the content type of server-sent events. */
export const isEventStream = (response: TransportResponse): boolean =>
  response.header("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;

async function toError(call: SentCall, response: TransportResponse, context: FailureContext): Promise<unknown> {
  const error = await classifyErrorResponse(response, context);
  return call.cancellation.aborted ? call.cancellation.reason : error;
}

const maxErrorBytes = 65_536;
const maxErrorWaitMs = 2_000;

/**
 * Classifies a response whose status is not 2xx. Reads at most 64 KiB of its body for at most 2 seconds, and cancels the
 * rest. Never rejects: it resolves to the ProviderError.
 */
export async function classifyErrorResponse(
  response: TransportResponse,
  context: FailureContext = {},
): Promise<ProviderError> {
  const body = await collectStart(response.body, maxErrorBytes, maxErrorWaitMs);
  // A compressed body has no text to read.
  const payload = readErrorPayload(isCompressed(response) ? undefined : new TextDecoder().decode(body));
  const retryAfterSeconds = readRetryAfter((name) => response.header(name)) ?? payload.retryAfterSeconds;
  return toProviderError(response.status, { ...payload, retryAfterSeconds }, context);
}

/** Returns true for a compressed body, although every request accepts `identity` only. */
function isCompressed(response: TransportResponse): boolean {
  const encoding = response.header("content-encoding");
  return encoding !== undefined && encoding !== "" && encoding !== "identity";
}
