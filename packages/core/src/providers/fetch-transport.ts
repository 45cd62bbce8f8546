import { toAbortSignal } from "../ports/cancellation.ts";
import type { Transport, TransportRequest, TransportResponse } from "../ports/transport.ts";
import { unshared } from "../wire/bytes.ts";
import { emptyStream, fromReadableStream } from "./byte-streams.ts";
import { classifyBodyFailure, classifyConnectFailure } from "./transport-failure.ts";

/**
 * Makes a Transport over `fetch`, for every runtime. `fetch` does not report when it has connected, so `connectMs` has no
 * effect. On Node, whose `fetch` waits at most 300 seconds for the head, use `pooledTransport()` of `@tollgate/node`.
 */
export function fetchTransport(fetchFunction: typeof fetch = globalThis.fetch): Transport {
  return async (request) => toTransportResponse(await send(fetchFunction, request), request);
}

async function send(fetchFunction: typeof fetch, request: TransportRequest): Promise<Response> {
  request.signal.throwIfAborted();
  try {
    return await fetchFunction(request.url, {
      method: request.method,
      headers: { ...request.headers },
      redirect: "manual",
      signal: toAbortSignal(request.signal),
      ...(request.body === undefined ? {} : { body: toBody(request.body) }),
    });
  } catch (error) {
    request.signal.throwIfAborted();
    throw classifyConnectFailure(error);
  }
}

function toTransportResponse(response: Response, { signal, progress }: TransportRequest): TransportResponse {
  if (progress !== undefined) progress.activity++;
  const classify = (cause: unknown) => (signal.aborted ? signal.reason : classifyBodyFailure(cause));
  return {
    // Browser-like runtimes report a redirect that was not followed with a status of 0.
    status: response.type === "opaqueredirect" ? 302 : response.status,
    header: (name) => {
      const value = response.headers.get(name) ?? undefined;
      return name === "content-encoding" && value !== undefined && isDecoded(value) ? undefined : value;
    },
    body: response.body === null ? emptyStream : fromReadableStream(response.body, classify, progress),
  };
}

/** Returns true if `fetch` has decoded the body. With any other content encoding it is still encoded. */
const isDecoded = (encoding: string): boolean =>
  encoding.split(",").every((name) => decodedByFetch.has(name.trim().toLowerCase()));

const decodedByFetch: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "identity", ""]);

const toBody = (body: Uint8Array | string) => (typeof body === "string" ? body : unshared(body));
