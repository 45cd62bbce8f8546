import type { Mountable } from "@tollgate/core";
import { type BodyReceiver, type ClientRequest, type GatewayResponse, isResponseStream } from "@tollgate/core/internal";

/** A request whose headers and body may be anything, even what no server accepts. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** A response with its whole body. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
}

/** Passes a request to a gateway without a server, and reads its response. */
export async function ask(gateway: Mountable, request: RawRequest): Promise<RawResponse> {
  const { status, body } = await gateway.handle(asClientRequest(request));
  return { status, text: await textOf(body) };
}

function asClientRequest({ method, path, headers, body }: RawRequest): ClientRequest {
  return {
    method,
    url: path,
    path,
    clientAddress: undefined,
    parsedBody: undefined,
    signal: { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined },
    waitUntil: undefined,
    header: (name) => headers.get(name),
    readBody: (maxBytes: number, receiver: BodyReceiver) => receiver.resolve(body.length > maxBytes ? undefined : body),
  };
}

function textOf(body: GatewayResponse["body"]): string | Promise<string> {
  if (!isResponseStream(body)) return typeof body === "string" ? body : Buffer.from(body ?? []).toString();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    body.pipeTo({
      write(chunk) {
        chunks.push(chunk);
        body.onDrain();
      },
      close: () => resolve(Buffer.concat(chunks).toString()),
      fail: reject,
    });
  });
}
