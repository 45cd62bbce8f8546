import { ReadableStream as WhatwgNodeReadableStream, Response as WhatwgNodeResponse } from "@whatwg-node/fetch";
import type { ResponseStream } from "../ports/gateway-response.ts";
import type { NodeReadableClass } from "../wire/platform.ts";
import { nodeReadable } from "./node-readable.ts";
import { type FetchConstructors, runtimeConstructors, sourceOf } from "./web-stream.ts";

const whatwgNodeConstructors: FetchConstructors = {
  Response: WhatwgNodeResponse,
  toBody: (stream) =>
    nodeReadable === undefined ? new WhatwgNodeReadableStream(sourceOf(stream)) : toNodeReadable(stream, nodeReadable),
};

/** Returns the constructors of the runtime for a Request of the runtime, and else those of @whatwg-node/fetch, which are faster on Node. */
export const constructorsFor = (request: Request): FetchConstructors =>
  request instanceof globalThis.Request ? runtimeConstructors : whatwgNodeConstructors;

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
