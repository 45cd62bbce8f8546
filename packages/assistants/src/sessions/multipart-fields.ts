import { MaxPartsExceededError, type MultipartPart, parseMultipart } from "@remix-run/multipart-parser";
import { GatewayError } from "@tollgate/core";

const maxParts = 20;
const maxHeaderSize = 8_192;
const boundaryParameter = /;\s*boundary=(?:"([^"]*)"|([^;\s"]*))/i;
/** RFC 2046, section 5.1.1. */
const boundaryText = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/**
 * Parses a body of type `multipart/form-data` (RFC 7578) into fields of bytes. Text and file fields are treated alike.
 * Fields whose names are not in `names` are ignored. Throws 400 for a malformed form and for a repeated field.
 */
export function multipartFields<Name extends string>(
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
export const repeatedField = (name: string): GatewayError =>
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
