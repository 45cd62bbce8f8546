import { asGatewayError, type GatewayError } from "../errors/gateway-error.ts";
import type { BodyReceiver, BodySource, ClientRequest } from "../ports/client-request.ts";
import type { HostContext, MountDiagnostics } from "../ports/mountable.ts";
import { joinBytes } from "../wire/bytes.ts";
import { urlOf } from "./request-url.ts";

/** A ClientRequest from a Fetch Request. What the host passes takes precedence. */
export class FetchRequest implements ClientRequest {
  readonly #request: Request;
  readonly #refusal: GatewayError | undefined;
  readonly #diagnostics: Pick<MountDiagnostics, "warn">;
  readonly path: string | undefined;
  readonly basePath: string | undefined;
  readonly clientAddress: string | undefined;
  readonly parsedBody: unknown;
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;

  constructor(request: Request, host: HostContext, basePath: string, diagnostics: Pick<MountDiagnostics, "warn">) {
    this.#request = request;
    this.#diagnostics = diagnostics;
    this.#refusal = host.refusal;
    this.path = host.path ?? pathInside(host.basePath ?? basePath, request.url);
    this.basePath = host.basePath;
    this.clientAddress = host.clientAddress;
    this.parsedBody = host.parsedBody;
    this.waitUntil = host.waitUntil && ignoringErrors(host.waitUntil);
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
    else if (this.#request.bodyUsed) receiver.reject(this.#alreadyRead());
    else if (Number(declared) > maxBytes) receiver.resolve(undefined);
    else if (declared !== undefined && Number(declared) <= maxShortBody) readShort(this.#request, maxBytes, receiver);
    else void new FetchBodyReader(this.#request.body, maxBytes, receiver).read();
  }

  #alreadyRead(): GatewayError {
    this.#diagnostics.warn(
      "the host read the body of a Request before it called `fetch`. Call `fetch` before the code that reads the body, or pass the body as `parsedBody`: gateway.fetch(request, { parsedBody: await request.text() }).",
    );
    return asGatewayError(undefined);
  }
}

/** `waitUntil` may throw when the host has ended the request. That must not stop the work. */
function ignoringErrors(waitUntil: (work: Promise<unknown>) => void): (work: Promise<unknown>) => void {
  return (work) => {
    try {
      waitUntil(work);
    } catch {
      // The work continues as long as the host runs.
    }
  };
}

/** Bodies up to this many bytes are read in one piece, which is fastest. Until it is complete, no progress is reported. */
const maxShortBody = 16_384;

/** HTTP limits the body to its declared length, so it is safe to read it in one piece. */
function readShort(request: Request, maxBytes: number, receiver: BodyReceiver): void {
  receiver.open(unstoppable);
  request.arrayBuffer().then(
    (body) => receiver.resolve(body.byteLength > maxBytes ? undefined : new Uint8Array(body)),
    (cause: unknown) => receiver.reject(cause),
  );
}

const unstoppable: BodySource = { resume: () => undefined, stop: () => undefined };

/** Returns the path of a URL inside the mount at `basePath`; undefined when the URL is outside. */
function pathInside(basePath: string, url: string): string | undefined {
  const { pathname } = urlOf(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}

/** Reads the body of a Fetch Request until it ends, fails, exceeds the limit or is stopped. The rest is left to the server. */
export class FetchBodyReader implements BodySource {
  readonly #body: ReadableStream<Uint8Array> | null;
  readonly #maxBytes: number;
  readonly #receiver: BodyReceiver;
  #chunks: Uint8Array[] = [];
  #stopped = false;
  #resume: (() => void) | undefined;

  constructor(body: ReadableStream<Uint8Array> | null, maxBytes: number, receiver: BodyReceiver) {
    this.#body = body;
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  /** Reads the body and reports to the receiver. Called once; never rejects. */
  async read(): Promise<void> {
    this.#receiver.open(this);
    try {
      const body = this.#body === null ? new Uint8Array() : await this.#collect(this.#body.getReader());
      if (!this.#stopped) this.#receiver.resolve(body);
    } catch (cause) {
      if (!this.#stopped) this.#receiver.reject(cause);
    }
  }

  resume(): void {
    this.#resume?.();
  }

  /** Does not cancel the body, since some servers would close the connection before the response is sent. */
  stop(): void {
    this.#stopped = true;
    this.#chunks = [];
    this.#resume?.();
  }

  async #collect(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
    let length = 0;
    for (let next = await reader.read(); !next.done && !this.#stopped; next = await reader.read()) {
      length += next.value.length;
      if (length > this.#maxBytes) return undefined;
      this.#chunks.push(next.value);
      if (!this.#receiver.take(next.value.length)) await this.#untilResumed();
      if (this.#stopped) break;
    }
    return this.#stopped ? undefined : joinBytes(this.#chunks);
  }

  #untilResumed(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
