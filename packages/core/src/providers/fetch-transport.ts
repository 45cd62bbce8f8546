import { ProviderError } from "../errors/provider-error.ts";
import { toAbortSignal } from "../ports/cancellation.ts";
import type { Transport, TransportRequest, TransportResponse } from "../ports/transport.ts";
import { unshared } from "../wire/bytes.ts";
import { isJsonObject } from "../wire/json.ts";
import { emptyStream, fromReadableStream } from "./byte-streams.ts";

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

const timeoutCodes: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/**
 * Classifies a network error before the response head as `timeout` or `unreachable`. The message has the error code but
 * no address. For authors of transports.
 */
export function classifyConnectFailure(error: unknown): ProviderError {
  const cause = networkCause(error);
  const code = errorCode(cause);
  if (code !== undefined && timeoutCodes.has(code)) return connectTimeout(cause);
  return new ProviderError(
    "unreachable",
    `The provider could not be reached (${code ?? "no code"}). Check its base URL and whether it is available.`,
    { cause },
  );
}

/** Classifies a network error within the response body as `failed`. For authors of transports. */
export function classifyBodyFailure(error: unknown): ProviderError {
  const cause = networkCause(error);
  const code = errorCode(cause) ?? "no code";
  return new ProviderError("failed", `The provider's answer broke off (${code}). Try again, or use another target.`, {
    cause,
  });
}

/** Makes the error of a connection that was not established in time. */
export const connectTimeout = (cause?: unknown): ProviderError =>
  new ProviderError("timeout", "The provider did not accept a connection in time. Check its base URL and network.", {
    cause,
  });

/** Returns the network error that `fetch` wraps in a TypeError, whose message may quote request headers. */
function networkCause(error: unknown): unknown {
  const inner = error instanceof Error ? error.cause : undefined;
  if (inner instanceof Error) return inner;
  return errorCode(error) === undefined ? undefined : error;
}

function errorCode(error: unknown): string | undefined {
  if (!isJsonObject(error)) return undefined;
  if (typeof error["code"] === "string") return error["code"];
  const { errors } = error;
  return Array.isArray(errors) ? errorCode(errors[0]) : undefined;
}
