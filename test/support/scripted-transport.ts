import { emptyStream, type Transport, type TransportRequest } from "@tollgate/core/provider";

/** A transport whose upstream answers each request with these pieces, and the requests that it received. */
export function scriptedTransport(pieces: readonly string[], contentType = "text/event-stream") {
  const requests: (TransportRequest & { readonly json: Record<string, unknown> })[] = [];
  const transport: Transport = async (request) => {
    const text = typeof request.body === "string" ? request.body : new TextDecoder().decode(request.body);
    requests.push({ ...request, json: JSON.parse(text) });
    return {
      status: 200,
      header: (name) => (name === "content-type" ? contentType : undefined),
      body: {
        ...emptyStream,
        pipeTo: (sink) => {
          for (const piece of pieces) sink.write(new TextEncoder().encode(piece));
          sink.close();
        },
      },
    };
  };
  return { transport, requests };
}
