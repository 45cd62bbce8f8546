import { GatewayError } from "@tollgate/core";
import {
  type BodyLimit,
  type ClientRequest,
  decodeUtf8,
  encodeUtf8,
  isJsonMembers,
  isJsonObject,
  parseJsonExactly,
} from "@tollgate/core/extension";
import type { Json, JsonObject } from "@tollgate/core/provider";
import { multipartFields, repeatedField } from "./multipart-fields.ts";

/** The fields of a request that creates or updates a session. A field that was not sent is undefined. */
export interface SessionForm {
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
  const value = await parseJsonExactly(body, { name: "The request body" });
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
    clientData: clientData && (await parseJsonExactly(clientData, { name: "`client_data`", param: "client_data" })),
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
