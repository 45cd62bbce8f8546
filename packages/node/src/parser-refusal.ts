import { GatewayError } from "@tollgate/core";
import type { ParserRefusal } from "./mounted-request.ts";

/**
 * Reads an error of a body parser in front of the gateway: those of Express, multer and Fastify are known. `limitBytes`
 * is how much the parser takes, when its error does not say so. Undefined: the error is about something else.
 */
export function parserRefusal(error: unknown, limitBytes?: number): ParserRefusal | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { type, code, status, statusCode, limit, body }: ParserError = error;
  const kind = typeof type === "string" ? type : code;
  if (typeof kind !== "string" || !bodyErrors.test(kind)) return undefined;
  // The parser kept the text, so the gateway finds what is wrong with it by itself.
  if (typeof body === "string") return { body };
  if (tooLarge.test(kind) || (statusCode ?? status) === 413)
    return refuse(sizeError(typeof limit === "number" ? limit : limitBytes));
  if (kind === "FST_ERR_CTP_INVALID_JSON_BODY" || kind === "FST_ERR_CTP_EMPTY_JSON_BODY")
    return refuse(new GatewayError("invalid_json", "The request body is not valid JSON. Send one JSON object."));
  return refuse(
    new GatewayError(
      "invalid_request",
      "The request body cannot be read. Send it whole, uncompressed, as JSON in UTF-8 with `Content-Type: application/json`.",
    ),
  );
}

/** The members that parsers put on their errors. */
interface ParserError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly limit?: unknown;
  readonly body?: unknown;
}

const refuse = (refusal: GatewayError): ParserRefusal => ({ body: undefined, refusal });

function sizeError(limitBytes: number | undefined): GatewayError {
  const limit = limitBytes === undefined ? "this server accepts" : `${limitBytes} bytes`;
  return new GatewayError("payload_too_large", `The request body is larger than ${limit}. Send a smaller one.`, {
    ...(limitBytes === undefined ? {} : { metadata: { limit_bytes: limitBytes } }),
  });
}

/** `type` of body-parser's errors, and `code` of those of multer, Fastify, its multipart plugin, and zlib. */
const bodyErrors =
  /^(?:entity\.(?:too\.large|parse\.failed)|(?:encoding|charset)\.unsupported|request\.size\.invalid|parameters\.too\.many|querystring\.parse\.|LIMIT_|FST_ERR_CTP_|FST_(?:REQ_FILE_TOO_LARGE|(?:FILES|FIELDS|PARTS)_LIMIT)|Z_)/;

/** multer gives its errors no status. */
const tooLarge = /^LIMIT_/;
