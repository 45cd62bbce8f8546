import { ReadableStream as CheapReadableStream, Response as CheapResponse } from "@whatwg-node/fetch";
import { type GatewayResponse, isResponseStream, type ResponseStream } from "../ports/gateway-response.ts";
import { type NodeReadableClass, nodeReadable } from "../wire/platform.ts";

/** What a Response is made with. */
export interface FetchConstructors {
  readonly Response: typeof Response;
  toBody(stream: ResponseStream): ReadableStream<Uint8Array>;
}

const native: FetchConstructors = {
  get Response() {
    return globalThis.Response;
  },
  toBody: toWebStream,
};

const cheap: FetchConstructors = {
  Response: CheapResponse,
  toBody: (stream) =>
    nodeReadable === undefined ? new CheapReadableStream(sourceOf(stream)) : toNodeReadable(stream, nodeReadable),
};

/** The runtime's own constructors for a host that gave a Request of the runtime, and otherwise the ones that cost less on Node. */
export function constructorsFor(request: Request): FetchConstructors {
  return request instanceof globalThis.Request ? native : cheap;
}

/** Gives an answer the form of a Response. The headers stay one plain object, which is the cheapest way onto a socket. */
export function toResponse(
  { status, headers, body }: GatewayResponse,
  { Response, toBody }: FetchConstructors,
): Response {
  return new Response(toContent(body, toBody), { status, headers });
}

/** What a Response is made of. */
type Content = string | ReadableStream<Uint8Array> | null;

/** The body of an answer as what a Response of the runtime is made of. */
export const toWebContent = (body: GatewayResponse["body"]): Content => toContent(body, toWebStream);

function toContent(body: GatewayResponse["body"], toBody: FetchConstructors["toBody"]): Content {
  return isResponseStream(body) ? toBody(body) : body;
}

/** The body of a streamed answer as a web stream of the runtime. */
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

/** @whatwg-node would wrap a web stream into just this, and put several calls and objects between each chunk and the socket. */
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
