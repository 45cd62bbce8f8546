import type { GatewayError } from "../errors/gateway-error.ts";
import type { BodyReceiver, BodySource, ClientRequest } from "../ports/client-request.ts";
import type { HostContext } from "../ports/mountable.ts";
import { FetchBodyReader } from "./fetch-body-reader.ts";
import { urlOf } from "./request-url.ts";

/** A Fetch Request as the gateway reads it; what the host knows of it comes first. */
export class FetchRequest implements ClientRequest {
  readonly #request: Request;
  readonly #refusal: GatewayError | undefined;
  readonly path: string | undefined;
  readonly basePath: string | undefined;
  readonly clientAddress: string | undefined;
  readonly parsedBody: unknown;
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;

  constructor(request: Request, host: HostContext, basePath: string) {
    this.#request = request;
    this.#refusal = host.refusal;
    this.path = host.path ?? pathInside(host.basePath ?? basePath, request.url);
    this.basePath = host.basePath;
    this.clientAddress = host.clientAddress;
    this.parsedBody = host.parsedBody;
    this.waitUntil = host.waitUntil && lenient(host.waitUntil);
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  readBody(maxBytes: number, receiver: BodyReceiver): void {
    const declared = this.header("content-length");
    if (this.#refusal !== undefined) receiver.reject(this.#refusal);
    else if (Number(declared) > maxBytes) receiver.resolve(undefined);
    else if (declared !== undefined && Number(declared) <= shortBody) readShort(this.#request, maxBytes, receiver);
    else void new FetchBodyReader(this.#request.body, maxBytes, receiver).read();
  }
}

/** A host that takes no more work, since it has ended the request, must not end the work with it. */
function lenient(waitUntil: (work: Promise<unknown>) => void): (work: Promise<unknown>) => void {
  return (work) => {
    try {
      waitUntil(work);
    } catch {
      // The work goes on as far as the host runs on.
    }
  };
}

/** Bytes up to which a body is read in one piece, which costs least; until it is there it counts as no progress. */
const shortBody = 16_384;

/** HTTP itself holds the body to the declared length, so the cheapest reading is safe. */
function readShort(request: Request, maxBytes: number, receiver: BodyReceiver): void {
  receiver.open(unstoppable);
  request.arrayBuffer().then(
    (body) => receiver.resolve(body.byteLength > maxBytes ? undefined : new Uint8Array(body)),
    (cause: unknown) => receiver.reject(cause),
  );
}

const unstoppable: BodySource = { resume: () => undefined, stop: () => undefined };

/** The path of a URL inside the mount at `basePath`, or undefined when the URL is elsewhere. */
function pathInside(basePath: string, url: string): string | undefined {
  const { pathname } = urlOf(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}
