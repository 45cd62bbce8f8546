import { ProviderError } from "../errors/provider-error.ts";
import type { FailureContext } from "../failures/failure.ts";
import type { ProviderCall } from "../ports/provider-adapter.ts";
import type { TransportResponse } from "../ports/transport.ts";
import { isCompressed, sortErrorResponse } from "./error-response.ts";

/** The HTTP request of a call to its upstream. */
export interface UpstreamPost {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: Uint8Array | string;
}

/**
 * Sends a call to its upstream over the call's transport. Resolves to an uncompressed 2xx response. Rejects with a
 * ProviderError for any other, or with the reason of a cancelled call. `context` is called only for an error.
 */
export function sendCall(
  call: ProviderCall,
  post: UpstreamPost,
  context: () => FailureContext,
): Promise<TransportResponse> {
  return startCall(call, post).then((response) =>
    isUsable(response) ? response : rejectUnusable(call, response, context()),
  );
}

/** Sends a call and resolves to any response, which the caller checks with {@link isUsable}. Saves a promise per call. */
export function startCall(call: ProviderCall, { url, headers, body }: UpstreamPost): Promise<TransportResponse> {
  const { cancellation: signal, connectMs, requestId } = call;
  return call.transport({ method: "POST", url, headers: withRequestId(headers, requestId), body, signal, connectMs });
}

/** The member comes before the spread, since V8 adds a member to a spread object ten times as slowly. It is set again, since the host's headers must not replace it. */
function withRequestId(given: UpstreamPost["headers"], requestId: string): Record<string, string> {
  const headers: Record<string, string> = { "x-request-id": requestId, ...given };
  headers["x-request-id"] = requestId;
  return headers;
}

/** Returns true for an uncompressed 2xx response. */
export const isUsable = (response: TransportResponse): boolean => isSuccess(response) && !isCompressed(response);

const isSuccess = ({ status }: TransportResponse): boolean => status >= 200 && status <= 299;

/** Rejects with the error of a response that is not usable. */
export async function rejectUnusable(
  call: ProviderCall,
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

async function toError(call: ProviderCall, response: TransportResponse, context: FailureContext): Promise<unknown> {
  const error = await sortErrorResponse(response, context);
  return call.cancellation.aborted ? call.cancellation.reason : error;
}
