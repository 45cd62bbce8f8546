import { ReadableStream as CheapReadableStream, Response as CheapResponse } from "@whatwg-node/fetch";
import type { Answer, AnswerStream } from "./answer.ts";

/** The constructors that a Response is made with. */
export interface FetchConstructors {
  readonly Response: typeof Response;
  readonly ReadableStream: typeof ReadableStream;
}

const cheap: FetchConstructors = { Response: CheapResponse, ReadableStream: CheapReadableStream };

/** The runtime's own constructors for a host that gave a Request of the runtime, and otherwise the ones that cost less on Node. */
export function constructorsFor(request: Request): FetchConstructors {
  return request instanceof globalThis.Request ? globalThis : cheap;
}

/** Gives an answer the form of a Response. The headers stay one plain object, which is the cheapest way onto a socket. */
export function toResponse({ status, headers, body }: Answer, constructors: FetchConstructors): Response {
  const content = typeof body === "string" ? body : toReadableStream(body, constructors);
  return new constructors.Response(content, { status, headers });
}

function toReadableStream(body: AnswerStream, constructors: FetchConstructors): ReadableStream<Uint8Array> {
  return new constructors.ReadableStream<Uint8Array>({
    start(controller) {
      body.flow({
        write: (chunk) => controller.enqueue(chunk),
        close: () => controller.close(),
        fail: (cause) => controller.error(cause),
      });
    },
    pull: () => body.taken(),
    cancel: () => body.cancel(),
  });
}
