import { draining } from "../errors/ended-early.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { Admitted, WithBody } from "../request/request-stages.ts";
import type { BodyServices } from "../request/services.ts";
import { encodeUtf8 } from "../wire/utf8.ts";
import { BodyIntake } from "./body-intake.ts";

/** How large a body may be, in bytes, and what a client is told to do about one that is larger. */
export interface BodyLimit {
  readonly maxBodyBytes: number;
  /** "Send a shorter history or smaller images." when absent. */
  readonly cure?: string;
}

/**
 * Check 4: the size of the body, counted while it is read; the rest of a body that is too large is not read. What a
 * parser of the host made of it counts with the bytes that it has as JSON, as they are held here from then on.
 */
export function readBody(services: BodyServices, admitted: Admitted, limit: BodyLimit = services): Promise<WithBody> {
  const { request, run } = admitted;
  refuseEncoded(request);
  const { parsedBody } = request;
  const encoded = parsedBody === undefined ? undefined : withinLimit(encodeParsed(parsedBody), limit);
  return new Promise((resolve, reject) => {
    const intake = new BodyIntake(services, admitted, {
      whole: (body) => resolve({ ...admitted, body }),
      failed: (error) => reject(error ?? tooLarge(limit)),
    });
    run.onAbort(() => intake.abort(draining()));
    if (encoded === undefined) request.readBody(limit.maxBodyBytes, intake);
    else intake.resolve(encoded);
  });
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
    throw new GatewayError("invalid_json", "The request body is nested too deeply. Send a flatter one.", { cause });
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
