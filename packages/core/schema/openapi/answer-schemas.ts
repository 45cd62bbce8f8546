import type { JsonObject } from "../../src/wire/json.ts";

/** A reference to a component. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Any text. */
export const text = { type: "string" };
/** A whole number. */
export const integer = { type: "integer" };
/** A time in ISO 8601. */
export const dateTime = { type: "string", format: "date-time" };

/** An object whose members are all required, except those in `optional`. Others may be added in later versions. */
export const open = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: true,
});

/** A value, or null. */
export const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
/** An array. */
export const listOf = (schema: JsonObject): JsonObject => ({ type: "array", items: schema });

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
