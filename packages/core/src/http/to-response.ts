import { type GatewayResponse, isResponseStream } from "../ports/gateway-response.ts";
import { unshared } from "../wire/bytes.ts";
import { type FetchConstructors, toWebStream } from "./web-stream.ts";

/** Converts to a Response. The headers are passed as a plain object, which is the fastest to write to a socket. */
export function toResponse(
  { status, headers, body }: GatewayResponse,
  { Response, toBody }: FetchConstructors,
): Response {
  return new Response(toContent(body, toBody), { status, headers });
}

/** A body that the Response constructor accepts. `slice` returns its type of bytes, also where TypeScript has no generic one. */
type Content = string | ReturnType<Uint8Array["slice"]> | ReadableStream<Uint8Array> | null;

/** Converts a body to one that the Response constructor of the runtime accepts. */
export const toWebContent = (body: GatewayResponse["body"]): Content => toContent(body, toWebStream);

function toContent(body: GatewayResponse["body"], toBody: FetchConstructors["toBody"]): Content {
  if (isResponseStream(body)) return toBody(body);
  return body instanceof Uint8Array ? unshared(body) : body;
}
