import { draining } from "../errors/ended-early.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Run } from "../limits/in-flight.ts";
import { joinBytes } from "../wire/join-bytes.ts";
import { encodeUtf8 } from "../wire/utf8.ts";
import type { Admitted } from "./admit-request.ts";

/** A request whose body has been read. */
export interface WithBody extends Admitted {
  readonly body: Uint8Array;
}

/** How large a body may be, in bytes, and what a client is told to do about one that is larger. */
export interface BodyLimit {
  readonly maxBodyBytes: number;
  /** "Send a shorter history or smaller images." when absent. */
  readonly cure?: string;
}

/** Check 4: the size of the body, counted while it is read; the rest of a body that is too large is not read. */
export async function readBody(limit: BodyLimit, admitted: Admitted): Promise<WithBody> {
  const { request, host, run } = admitted;
  refuseEncoded(request);
  const body =
    host.parsedBody === undefined
      ? await unlessAborted(run, readBytes(request, limit))
      : withinLimit(encodeParsed(host.parsedBody), limit);
  return Object.assign(admitted, { body });
}

function refuseEncoded(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding === null || encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new GatewayError(
    "unsupported_value",
    "A compressed request body is not accepted. Send it without Content-Encoding.",
    { param: "content-encoding" },
  );
}

/** A client may take as long as it likes to send a body, and the end of a drain waits for none. */
function unlessAborted<T>(run: Run, reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    run.onAbort(() => reject(draining()));
    reading.then(resolve, reject);
  });
}

async function readBytes(request: Request, limit: BodyLimit): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit.maxBodyBytes) throw tooLarge(limit);
  try {
    // HTTP itself holds the body to the declared length, so the cheapest reading is safe.
    if (declared !== null) return withinLimit(new Uint8Array(await request.arrayBuffer()), limit);
    return await readCounting(request.body, limit);
  } catch (cause) {
    throw GatewayError.is(cause) ? cause : brokenBody(cause);
  }
}

async function readCounting(body: ReadableStream<Uint8Array> | null, limit: BodyLimit): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > limit.maxBodyBytes) throw tooLarge(limit);
    chunks.push(next.value);
  }
  return joinBytes(chunks);
}

function encodeParsed(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return encodeUtf8(typeof body === "string" ? body : stringify(body));
}

function stringify(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new GatewayError("invalid_json", "The request body is nested too deep. Send a simpler one.", { cause });
  }
}

function withinLimit(body: Uint8Array, limit: BodyLimit): Uint8Array {
  if (body.length > limit.maxBodyBytes) throw tooLarge(limit);
  return body;
}

const historyCure = "Send a shorter history or smaller images.";

const tooLarge = ({ maxBodyBytes, cure = historyCure }: BodyLimit): GatewayError =>
  new GatewayError("payload_too_large", `The request body is larger than ${maxBodyBytes} bytes. ${cure}`, {
    metadata: { limit_bytes: maxBodyBytes },
  });

const brokenBody = (cause: unknown): GatewayError =>
  new GatewayError("invalid_request", "The request body broke off before its end. Send the request again.", { cause });
