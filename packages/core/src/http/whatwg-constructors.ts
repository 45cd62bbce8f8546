import { ReadableStream as WhatwgNodeReadableStream, Response as WhatwgNodeResponse } from "@whatwg-node/fetch";
import type { ResponseStream } from "../ports/gateway-response.ts";
import { builtin, type NodeDestination, type NodeReadableClass, type NodeReadableOptions } from "../wire/platform.ts";
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

const Readable = builtin("node:stream")?.Readable;

/**
 * Node's Readable, which @whatwg-node accepts as the body of a Response; undefined on a runtime without one. When it
 * fails, it destroys the stream that it is piped to.
 */
export const nodeReadable: NodeReadableClass | undefined = Readable && breakOffTogether(Readable);

/** By default, Node leaves the destination open, and an error event without a listener ends the process. */
function breakOffTogether(Readable: NodeReadableClass): NodeReadableClass {
  return class extends Readable {
    constructor(options: NodeReadableOptions) {
      super(options);
      this.on("error", () => undefined);
    }

    override pipe(destination: NodeDestination, options?: object): NodeDestination {
      this.on("error", () => destination.destroy());
      return super.pipe(destination, options);
    }
  };
}
