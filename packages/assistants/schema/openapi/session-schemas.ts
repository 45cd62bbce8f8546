import type { JsonObject } from "@tollgate/core/provider";
import { dateTime, integer, listOf, nullable, open, ref, text } from "../../../core/schema/openapi/answer-schemas.ts";
import { requestNames } from "../../../core/schema/openapi/documents.ts";
import { jsonSchemaOf } from "../../../core/schema/openapi/json-schema-of.ts";
import { messageSchema } from "../../src/turn/read-message.ts";

/** A page of a list, as `lists.ts` writes it. */
const pageOf = (entry: string): JsonObject =>
  open({
    object: { const: "list" },
    data: listOf(ref(entry)),
    first_id: { type: ["string", "null"] },
    last_id: { type: ["string", "null"] },
    has_more: { type: "boolean" },
    next: { type: ["string", "null"], description: "The cursor of the next page; null on the last one." },
  });

const clientData = { type: "object", additionalProperties: true };

/** The requests and answers of the session endpoints. */
export const sessionSchemas: JsonObject = {
  NewMessage: jsonSchemaOf(messageSchema, requestNames),
  NewSession: {
    type: "object",
    properties: { assistant_id: { type: "string" }, client_data: clientData },
    required: ["assistant_id"],
  },
  SessionUpdate: { type: "object", properties: { client_data: clientData }, required: ["client_data"] },
  Session: open({
    id: { type: "string", format: "uuid" },
    assistant_id: text,
    created_at: dateTime,
    updated_at: dateTime,
    client_data: clientData,
  }),
  SessionPage: pageOf("Session"),
  StoredMessage: {
    allOf: [ref("ChatMessage"), open({ id: text, created_at: dateTime })],
  },
  MessagePage: pageOf("StoredMessage"),
  WebhookLog: open({
    id: { type: "string", format: "uuid" },
    session_id: { type: "string", format: "uuid" },
    trigger: text,
    tool_call_id: text,
    started_at: dateTime,
    duration_ms: { type: "number" },
    attempts: listOf(
      open({
        duration_ms: { type: "number" },
        status: { type: ["integer", "null"] },
        failure: { type: ["string", "null"] },
      }),
    ),
    request: nullable(
      open({ method: text, url: text, header_names: listOf(text), body: { type: ["string", "null"] } }),
    ),
    response: nullable(
      open({
        status: integer,
        content_type: { type: ["string", "null"] },
        bytes: integer,
        body: text,
        truncated: { type: "boolean" },
      }),
    ),
    variables: listOf(open({ name: text, source: text, value: {} }, ["value"])),
    outcome: text,
    error: nullable(open({ code: text, detail: text })),
    merged_keys: listOf(text),
    warnings: listOf(text),
  }),
  LogPage: pageOf("WebhookLog"),
};
