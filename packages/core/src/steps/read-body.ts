import type { Room } from "../edge/incoming.ts";
import { draining } from "../errors/ended-early.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { ClientRequest } from "../ports/client-request.ts";
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
export function readBody(limit: BodyLimit, admitted: Admitted): Awaitable<WithBody> {
  const { parsedBody } = admitted.request;
  refuseEncoded(admitted.request);
  if (parsedBody === undefined) return read(limit, admitted);
  noteBody(admitted, withinLimit(encodeParsed(parsedBody), limit));
  return admitted;
}

/** A client may take as long as it likes to send a body, and the end of a drain waits for none. */
function read(limit: BodyLimit, admitted: Admitted): Promise<WithBody> {
  const { request, run } = admitted;
  return new Promise((resolve, reject) => {
    run.onAbort(() => reject(draining()));
    request.readBody(limit.maxBodyBytes, {
      resolve(body) {
        if (body === undefined) return reject(tooLarge(limit));
        noteBody(admitted, body);
        resolve(admitted);
      },
      reject: (cause) => reject(brokenBody(cause)),
    });
  });
}

function noteBody(record: Room<Admitted, WithBody>, body: Uint8Array): asserts record is WithBody {
  record.body = body;
}

function refuseEncoded(request: ClientRequest): void {
  const encoding = request.header("content-encoding");
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new GatewayError(
    "unsupported_value",
    "A compressed request body is not accepted. Send it without Content-Encoding.",
    { param: "content-encoding" },
  );
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
  GatewayError.is(cause)
    ? cause
    : new GatewayError("invalid_request", "The request body broke off before its end. Send the request again.", {
        cause,
      });
