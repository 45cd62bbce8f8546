import type { ResponseStream } from "../ports/gateway-response.ts";

/** The constructors for a Response and its body. */
export interface FetchConstructors {
  readonly Response: typeof Response;
  toBody(stream: ResponseStream): ReadableStream<Uint8Array>;
}

/** The constructors of the runtime. */
export const runtimeConstructors: FetchConstructors = {
  get Response() {
    return globalThis.Response;
  },
  toBody: toWebStream,
};

/** Converts a streamed body to a web stream of the runtime. */
export function toWebStream(stream: ResponseStream): ReadableStream<Uint8Array> {
  return new globalThis.ReadableStream(sourceOf(stream));
}

/** Returns the source of a web stream that reads a streamed body. */
export function sourceOf(stream: ResponseStream): UnderlyingDefaultSource<Uint8Array> {
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
