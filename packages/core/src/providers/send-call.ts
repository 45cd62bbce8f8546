import { ProviderError } from "../errors/provider-error.ts";
import type { FailureContext } from "../failures/failure.ts";
import type { ProviderCall } from "../ports/provider-adapter.ts";
import type { TransportResponse } from "../ports/transport.ts";
import { isCompressed, sortErrorResponse } from "./error-response.ts";

/** What a call sends to its upstream. */
export interface UpstreamPost {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: Uint8Array | string;
}

/**
 * Posts a call to its upstream through the call's transport, and gives an answer of 2xx that is not compressed. Throws
 * everything else as a sorted ProviderError, or the reason of the call's own end. The context is asked for only then.
 */
export function sendCall(
  call: ProviderCall,
  post: UpstreamPost,
  context: () => FailureContext,
): Promise<TransportResponse> {
  return startCall(call, post).then((response) => (isUsable(response) ? response : refuse(call, response, context())));
}

/** The same, but gives whatever the upstream answers: for who saves the promise, and refuses what is not usable. */
export function startCall(call: ProviderCall, { url, headers, body }: UpstreamPost): Promise<TransportResponse> {
  const { cancellation: signal, connectMs, requestId } = call;
  return call.transport({ method: "POST", url, headers: withRequestId(headers, requestId), body, signal, connectMs });
}

/** Its place is made before the copy, and no header of the host takes it: V8 adds to a copy ten times as slowly. */
function withRequestId(given: UpstreamPost["headers"], requestId: string): Record<string, string> {
  const headers: Record<string, string> = { "x-request-id": requestId, ...given };
  headers["x-request-id"] = requestId;
  return headers;
}

/** True for an answer of 2xx that is not compressed. */
export const isUsable = (response: TransportResponse): boolean => isSuccess(response) && !isCompressed(response);

const isSuccess = ({ status }: TransportResponse): boolean => status >= 200 && status <= 299;

/** Throws what an answer that is not usable stands for. */
export async function refuse(call: ProviderCall, response: TransportResponse, context: FailureContext): Promise<never> {
  if (!isSuccess(response)) throw await sort(call, response, context);
  response.body.cancel();
  const { provider = "The provider" } = context;
  throw new ProviderError(
    "invalid_response",
    `${provider} answered with a compressed body, though identity was asked for. Check what stands between here and it.`,
  );
}

/** True for an answer that says it is a stream of server-sent events. */
export const isEventStream = (response: TransportResponse): boolean =>
  response.header("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;

async function sort(call: ProviderCall, response: TransportResponse, context: FailureContext): Promise<unknown> {
  const error = await sortErrorResponse(response, context);
  return call.cancellation.aborted ? call.cancellation.reason : error;
}
