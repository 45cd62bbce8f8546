import { GatewayError } from "@tollgate/core";
import type { ParserRefusal } from "./mounted-request.ts";

/**
 * Converts an error of a body parser that runs before the gateway. Errors of Express, multer and Fastify are
 * recognized. `limitBytes` is the parser's size limit, used when the error does not contain it. Returns undefined for
 * other errors.
 */
export function parserRefusal(error: unknown, limitBytes?: number): ParserRefusal | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { type, code, status, statusCode, limit, body }: ParserError = error;
  const kind = typeof type === "string" ? type : code;
  if (typeof kind !== "string" || !bodyErrors.test(kind)) return undefined;
  // The error contains the raw text, so the gateway can parse it and report what is wrong.
  if (typeof body === "string") return { body };
  if (tooLarge.test(kind) || (statusCode ?? status) === 413)
    return refuse(sizeError(typeof limit === "number" ? limit : limitBytes));
  if (kind === "FST_ERR_CTP_INVALID_JSON_BODY" || kind === "FST_ERR_CTP_EMPTY_JSON_BODY")
    return refuse(new GatewayError("invalid_json", "The request body is not valid JSON. Send one JSON object."));
  return refuse(
    new GatewayError(
      "invalid_request",
      "The request body cannot be read. Send a complete, uncompressed JSON body in UTF-8 with `Content-Type: application/json`.",
    ),
  );
}

/** The properties that parsers set on their errors. */
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
  return new GatewayError("payload_too_large", `The request body is larger than ${limit}. Send a smaller body.`, {
    ...(limitBytes === undefined ? {} : { metadata: { limit_bytes: limitBytes } }),
  });
}

/** Matches `type` of body-parser errors, and `code` of errors from multer, Fastify, @fastify/multipart and zlib. */
const bodyErrors =
  /^(?:entity\.(?:too\.large|parse\.failed)|(?:encoding|charset)\.unsupported|request\.size\.invalid|parameters\.too\.many|querystring\.parse\.|LIMIT_|FST_ERR_CTP_|FST_(?:REQ_FILE_TOO_LARGE|(?:FILES|FIELDS|PARTS)_LIMIT)|Z_)/;

/** multer errors have no status. */
const tooLarge = /^LIMIT_/;
