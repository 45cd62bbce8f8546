import { ReadableStream as WhatwgNodeReadableStream, Response as WhatwgNodeResponse } from "@whatwg-node/fetch";
import { type GatewayResponse, isResponseStream, type ResponseStream } from "../ports/gateway-response.ts";
import { type NodeReadableClass, nodeReadable } from "../wire/platform.ts";

/** The constructors for a Response and its body. */
export interface FetchConstructors {
  readonly Response: typeof Response;
  toBody(stream: ResponseStream): ReadableStream<Uint8Array>;
}

const runtimeConstructors: FetchConstructors = {
  get Response() {
    return globalThis.Response;
  },
  toBody: toWebStream,
};

const whatwgNodeConstructors: FetchConstructors = {
  Response: WhatwgNodeResponse,
  toBody: (stream) =>
    nodeReadable === undefined ? new WhatwgNodeReadableStream(sourceOf(stream)) : toNodeReadable(stream, nodeReadable),
};

/** Returns the constructors of the runtime for a Request of the runtime, and else those of @whatwg-node/fetch, which are faster on Node. */
export function constructorsFor(request: Request): FetchConstructors {
  return request instanceof globalThis.Request ? runtimeConstructors : whatwgNodeConstructors;
}

/** Converts to a Response. The headers are passed as a plain object, which is the fastest to write to a socket. */
export function toResponse(
  { status, headers, body }: GatewayResponse,
  { Response, toBody }: FetchConstructors,
): Response {
  return new Response(toContent(body, toBody), { status, headers });
}

/** A body that the Response constructor accepts. */
type Content = string | ReadableStream<Uint8Array> | null;

/** Converts a body to one that the Response constructor of the runtime accepts. */
export const toWebContent = (body: GatewayResponse["body"]): Content => toContent(body, toWebStream);

function toContent(body: GatewayResponse["body"], toBody: FetchConstructors["toBody"]): Content {
  return isResponseStream(body) ? toBody(body) : body;
}

/** Converts a streamed body to a web stream of the runtime. */
function toWebStream(stream: ResponseStream): ReadableStream<Uint8Array> {
  return new globalThis.ReadableStream(sourceOf(stream));
}

function sourceOf(stream: ResponseStream): UnderlyingDefaultSource<Uint8Array> {
  return {
    start(controller) {
      stream.pipeTo({
        write: (chunk) => controller.enqueue(chunk),
        close: () => controller.close(),
        fail: (cause) => controller.error(cause),
      });
    },
    pull: () => stream.onDrain(),
    cancel: () => stream.cancel(),
  };
}

/** @whatwg-node would wrap a web stream into such a Readable, at the cost of several calls and objects per chunk. */
function toNodeReadable(stream: ResponseStream, Readable: NodeReadableClass): ReadableStream<Uint8Array> {
  const readable = new Readable({
    read: () => stream.onDrain(),
    destroy(cause, done) {
      stream.cancel();
      done(cause);
    },
  });
  stream.pipeTo({
    write: (chunk) => readable.push(chunk),
    close: () => readable.push(null),
    fail: (cause) => readable.destroy(cause),
  });
  return readable;
}
