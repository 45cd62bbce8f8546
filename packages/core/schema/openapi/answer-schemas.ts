import type { JsonObject } from "../../src/wire/json.ts";

/** A reference to a component. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const text = { type: "string" };
const integer = { type: "integer" };
const dateTime = { type: "string", format: "date-time" };

/** An object whose members are all required, except those in `optional`. Others may be added in later versions. */
const open = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: true,
});

const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const listOf = (schema: JsonObject): JsonObject => ({ type: "array", items: schema });

/** A page of a list, as `list-page.ts` writes it. */
const pageOf = (entry: string): JsonObject =>
  open({
    object: { const: "list" },
    data: listOf(ref(entry)),
    first_id: { type: ["string", "null"] },
    last_id: { type: ["string", "null"] },
    has_more: { type: "boolean" },
    next: { type: ["string", "null"], description: "The cursor of the next page; null on the last one." },
  });

const choice = { index: integer, finish_reason: { type: ["string", "null"] } };

/** The answers that every endpoint can give. */
export const errorSchemas: JsonObject = {
  Error: open({
    error: {
      type: "object",
      properties: {
        message: { type: "string", description: "What is wrong, and what to do." },
        type: text,
        code: text,
        param: { type: "string", description: "The member of the request that is wrong." },
        metadata: { type: "object", additionalProperties: true },
      },
      required: ["message", "type", "code"],
      additionalProperties: true,
    },
  }),
  TermsError: open(
    {
      error: { const: "terms_acceptance_required" },
      versionId: text,
      version: text,
      enforcementAt: dateTime,
      acceptUrl: text,
    },
    ["versionId", "version", "enforcementAt", "acceptUrl"],
  ),
};

/** The answers of completions. */
export const completionSchemas: JsonObject = {
  Usage: open({ prompt_tokens: integer, completion_tokens: integer, total_tokens: integer }),
  ChatCompletion: open({
    id: text,
    object: { const: "chat.completion" },
    created: { type: "integer", format: "int64", description: "Seconds since the Unix epoch." },
    model: { type: "string", description: "The id of the model in the request." },
    choices: listOf(open({ ...choice, message: ref("ChatMessage") }, ["finish_reason"])),
    usage: ref("Usage"),
  }),
  ChatCompletionChunk: {
    ...open(
      {
        id: text,
        object: { const: "chat.completion.chunk" },
        created: { type: "integer", format: "int64" },
        model: text,
        choices: listOf(open({ ...choice, delta: ref("ChatCompletionDelta") }, ["finish_reason"])),
        usage: nullable(ref("Usage")),
      },
      ["usage"],
    ),
    description: "The data of one event of a stream. The usage comes in an event without choices, before `[DONE]`.",
  },
  ChatCompletionDelta: open(
    {
      role: text,
      content: { type: ["string", "null"] },
      tool_calls: listOf({ type: "object", additionalProperties: true }),
    },
    ["role", "content", "tool_calls"],
  ),
};

/** The answers of embeddings. */
export const embeddingSchemas: JsonObject = {
  EmbeddingList: open({
    object: { const: "list" },
    data: listOf(ref("Embedding")),
    model: { type: "string", description: "The id of the model in the request." },
    usage: open({ prompt_tokens: integer, total_tokens: integer }),
  }),
  Embedding: open({
    object: { const: "embedding" },
    index: { type: "integer", description: "The position of the input." },
    embedding: {
      anyOf: [listOf({ type: "number" }), text],
      description: 'Numbers, or with `encoding_format: "base64"` a text of 32-bit floats.',
    },
  }),
};

/** The answers of the lists of models. */
export const modelSchemas: JsonObject = {
  ReasoningCapability: open({ effort_levels: { ...listOf(text), minItems: 1 }, default_effort: text }),
  Model: open(
    {
      id: text,
      object: { const: "model" },
      created: { type: "integer", format: "int64", description: "Seconds since the Unix epoch." },
      owned_by: text,
      display_name: text,
      context_window: { type: "integer", minimum: 1 },
      max_output_tokens: { type: "integer", minimum: 1 },
      vision: { type: "boolean" },
      reasoning: nullable(ref("ReasoningCapability")),
      kind: { const: "embedding", description: "Absent for a chat model." },
      max_inputs: { type: "integer", minimum: 1, description: "The most inputs of one request for embeddings." },
      dimensions: { type: "integer", minimum: 1, description: "The length of the vectors." },
    },
    ["display_name", "context_window", "max_output_tokens", "reasoning", "kind", "max_inputs", "dimensions"],
  ),
  ModelList: open({ object: { const: "list" }, data: listOf(ref("Model")) }),
};

/** The answers of the session endpoints. */
export const sessionSchemas: JsonObject = {
  Session: open({
    id: { type: "string", format: "uuid" },
    assistant_id: text,
    created_at: dateTime,
    updated_at: dateTime,
    client_data: { type: "object", additionalProperties: true },
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
