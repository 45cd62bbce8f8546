import { type GatewayResponse, isResponseStream, type ResponseStream } from "../ports/gateway-response.ts";
import type { HostContext, Mountable } from "../ports/mountable.ts";
import { FetchRequest } from "./fetch-request.ts";
import { toResponse } from "./to-response.ts";
import { type FetchConstructors, runtimeConstructors, sourceOf } from "./web-stream.ts";

/** The `fetch` of a gateway: that of a Mountable, and that of the Fetch standard for clients in the same process. */
export interface ClientFetch {
  (request: Request, host?: HostContext): Promise<Response>;
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** Adds to the `fetch` of a Mountable what clients expect of that of the Fetch standard. */
export function clientFetch(mounted: Mountable, basePath: string): ClientFetch {
  return (input: string | URL | Request, given?: HostContext | RequestInit) => {
    if (isInit(given)) return answerClient(mounted, basePath, input, given);
    if (typeof input === "string" || input instanceof URL) return answerClient(mounted, basePath, input);
    return mounted.fetch(input, given);
  };
}

const membersOfInit = ["method", "headers", "body", "signal"];

/** The members of a HostContext have other names. */
const isInit = (given: HostContext | RequestInit | undefined): given is RequestInit =>
  given !== undefined && membersOfInit.some((name) => name in given);

/** Rejects and breaks off the body when the signal of the request is aborted, as the Fetch standard demands. */
async function answerClient(
  { handle, unread, diagnostics }: Mountable,
  basePath: string,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, init);
  const { signal } = request;
  signal.throwIfAborted();
  const response = await untilAborted(handle(new FetchRequest(request, {}, basePath, diagnostics)), signal);
  return toResponse(unread.withBackpressure(response), abortedBy(signal));
}

function untilAborted(answer: Promise<GatewayResponse>, signal: AbortSignal): Promise<GatewayResponse> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason);
      void answer.then(({ body }) => isResponseStream(body) && body.cancel());
    });
    void answer.then(resolve);
  });
}

/** The constructors of the runtime, for bodies that fail when the signal is aborted. */
const abortedBy = (signal: AbortSignal): FetchConstructors => ({
  Response: runtimeConstructors.Response,
  toBody: (stream) => new ReadableStream(abortable(stream, signal)),
});

function abortable(stream: ResponseStream, signal: AbortSignal): UnderlyingDefaultSource<Uint8Array> {
  const source = sourceOf(stream);
  return {
    ...source,
    start(controller) {
      source.start?.(controller);
      signal.addEventListener("abort", () => {
        stream.cancel();
        controller.error(signal.reason);
      });
    },
  };
}
