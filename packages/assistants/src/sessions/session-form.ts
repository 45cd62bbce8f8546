import { MaxPartsExceededError, type MultipartPart, parseMultipart } from "@remix-run/multipart-parser";
import { GatewayError } from "@tollgate/core";
import {
  type BodyLimit,
  type ClientRequest,
  decodeUtf8,
  encodeUtf8,
  isJsonMembers,
  isJsonObject,
  parseJsonLossless,
} from "@tollgate/core/extension";
import type { Json, JsonObject } from "@tollgate/core/provider";

/** The fields of a request that creates or updates a session. A field that was not sent is undefined. */
interface SessionForm {
  readonly assistantId: Json | undefined;
  readonly clientData: Json | undefined;
}

/** Parses the body of a request as JSON or as a form, according to its Content-Type. The host may have parsed it already. */
export async function readSessionForm(request: ClientRequest, body: Uint8Array): Promise<SessionForm> {
  const contentType = request.header("content-type") ?? "";
  const [mediaType = ""] = contentType.split(";", 1);
  switch (mediaType.trim().toLowerCase()) {
    case "application/json":
      return await fromJson(body);
    case "multipart/form-data":
      return await (isParsed(request.parsedBody) ? fromParsedForm(request.parsedBody) : fromForm(body, contentType));
    default:
      throw new GatewayError(
        "unsupported_value",
        "This Content-Type is not accepted. Send `application/json` or `multipart/form-data`.",
        { param: "content-type" },
      );
  }
}

/** True for fields that a parser of the host returned. Text and bytes are not parsed yet. */
const isParsed = (parsedBody: unknown): parsedBody is JsonObject =>
  isJsonObject(parsedBody) && !(parsedBody instanceof Uint8Array);

async function fromJson(body: Uint8Array): Promise<SessionForm> {
  const value = await parseJsonLossless(body, { name: "The request body" });
  if (!isJsonMembers(value)) {
    throw new GatewayError("invalid_request", "The request body must be a JSON object. Send one.");
  }
  return { assistantId: value["assistant_id"], clientData: value["client_data"] };
}

function fromForm(body: Uint8Array, contentType: string): Promise<SessionForm> {
  const fields = multipartFields(body, contentType, ["assistant_id", "client_data"]);
  return fromFields(fields.get("assistant_id"), fields.get("client_data"));
}

const fromParsedForm = (fields: JsonObject): Promise<SessionForm> =>
  fromFields(parsedField(fields, "assistant_id"), parsedField(fields, "client_data"));

/** Converts a field to bytes. multer and @fastify/multipart return text, bytes of a file, JSON, or an array for a repeated field. */
function parsedField(fields: JsonObject, name: string): Uint8Array | undefined {
  const value = fields[name];
  if (value === undefined || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) throw repeatedField(name);
  return encodeUtf8(typeof value === "string" ? value : JSON.stringify(value));
}

async function fromFields(
  assistantId: Uint8Array | undefined,
  clientData: Uint8Array | undefined,
): Promise<SessionForm> {
  return {
    assistantId: assistantId && readText(assistantId),
    clientData: clientData && (await parseJsonLossless(clientData, { name: "`client_data`", param: "client_data" })),
  };
}

function readText(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new GatewayError("invalid_request", "`assistant_id` is not valid UTF-8. Encode it as UTF-8.", {
    param: "assistant_id",
  });
}

/** The limit for a body that creates or updates a session. */
export const formLimit = ({ maxFormBytes }: { readonly maxFormBytes: number }): BodyLimit => ({
  maxBodyBytes: maxFormBytes,
  advice: "Send less client data.",
});

const maxParts = 20;
const maxHeaderSize = 8_192;
const boundaryParameter = /;\s*boundary=(?:"([^"]*)"|([^;\s"]*))/i;
/** RFC 2046, section 5.1.1. */
const boundaryText = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/**
 * Parses a body of type `multipart/form-data` (RFC 7578) into fields of bytes. Text and file fields are treated alike.
 * Fields whose names are not in `names` are ignored. Throws 400 for a malformed form and for a repeated field.
 */
function multipartFields<Name extends string>(
  body: Uint8Array,
  contentType: string,
  names: readonly Name[],
): ReadonlyMap<Name, Uint8Array> {
  const fields = new Map<Name, Uint8Array>();
  for (const { name: found, bytes } of parts(body, readBoundary(contentType))) {
    const name = names.find((wanted) => wanted === found);
    if (name === undefined) continue;
    if (fields.has(name)) throw repeatedField(name);
    fields.set(name, bytes);
  }
  return fields;
}

/** The 400 for a field that a form has more than once. */
const repeatedField = (name: string): GatewayError =>
  new GatewayError("invalid_request", `The form has the field \`${name}\` more than once. Send it once.`, {
    param: name,
  });

/** The size of the body has been checked, so it serves as the limit of each part and of all parts. */
function parts(body: Uint8Array, boundary: string): { name: string | undefined; bytes: Uint8Array }[] {
  const limits = { boundary, maxParts, maxHeaderSize, maxFileSize: body.length, maxTotalSize: body.length };
  try {
    // A part parses its headers when `name` is read, which may throw.
    return Array.from(parseMultipart(body, limits), ({ name, bytes }: MultipartPart) => ({ name, bytes }));
  } catch (cause) {
    throw cause instanceof MaxPartsExceededError ? tooManyParts() : brokenForm(cause);
  }
}

function readBoundary(contentType: string): string {
  const match = boundaryParameter.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? "";
  if (boundaryText.test(boundary)) return boundary;
  throw new GatewayError(
    "invalid_request",
    "The Content-Type header has no valid boundary. Let your HTTP client set the header, or add a boundary of 1 to 70 characters.",
    { param: "content-type" },
  );
}

const tooManyParts = (): GatewayError =>
  new GatewayError(
    "invalid_request",
    `The form has more than ${maxParts} parts. Send only the fields that are needed.`,
  );

const brokenForm = (cause: unknown): GatewayError =>
  new GatewayError(
    "invalid_request",
    "The form is malformed or incomplete. Send the complete form, with the boundary that Content-Type names.",
    { cause },
  );
