import type { HostContext } from "../gateway.ts";
import type { BodyReceiver, ClientRequest } from "../ports/client-request.ts";
import { joinBytes } from "../wire/join-bytes.ts";

/** A Fetch Request as the gateway reads it; what the host knows of it comes first. */
export class FetchRequest implements ClientRequest {
  readonly #request: Request;
  readonly path: string | undefined;
  readonly clientAddress: string | undefined;
  readonly parsedBody: unknown;
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;

  constructor(request: Request, host: HostContext, basePath: string) {
    this.#request = request;
    this.path = host.path ?? pathInside(basePath, request.url);
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
    this.#read(maxBytes).then(
      (body) => receiver.resolve(body),
      (cause: unknown) => receiver.reject(cause),
    );
  }

  async #read(maxBytes: number): Promise<Uint8Array | undefined> {
    const declared = this.header("content-length");
    if (Number(declared) > maxBytes) return undefined;
    // HTTP itself holds the body to the declared length, so the cheapest reading is safe.
    if (declared !== undefined) return within(new Uint8Array(await this.#request.arrayBuffer()), maxBytes);
    return readCounting(this.#request.body, maxBytes);
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

/** The path of a URL inside the mount at `basePath`, or undefined when the URL is elsewhere. */
function pathInside(basePath: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}

async function readCounting(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > maxBytes) return undefined;
    chunks.push(next.value);
  }
  return joinBytes(chunks);
}

const within = (bytes: Uint8Array, maxBytes: number) => (bytes.length > maxBytes ? undefined : bytes);
