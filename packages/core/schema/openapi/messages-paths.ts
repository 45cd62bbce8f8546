import type { JsonObject } from "../../src/wire/json.ts";
import { completionHeaders, success } from "./responses.ts";

/** A schema of Anthropic's API, whose reference describes its members. */
const described = (required: readonly string[], properties: JsonObject, page: string): JsonObject => ({
  type: "object",
  required,
  properties,
  additionalProperties: true,
  externalDocs: { url: `https://platform.claude.com/docs/en/api/${page}` },
});

const text = { type: "string" };
const request = { model: text, messages: { type: "array", minItems: 1, items: { type: "object" } } };
const usage = { type: "object", additionalProperties: true };
const error = described(
  ["type", "error"],
  { type: { const: "error" }, error: described(["type", "message"], { type: text, message: text }, "errors") },
  "errors",
);

const body = (schema: JsonObject): JsonObject => ({ required: true, content: { "application/json": { schema } } });

/** Every error of these endpoints has the form of Anthropic's. */
const errors = (...statuses: readonly number[]): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      success("An error in the form of Anthropic's API.", { "application/json": { schema: error } }),
    ]),
  );

/** The endpoints of Anthropic's Messages API. They also accept the key in the header `x-api-key`. */
export const messagesPaths: JsonObject = {
  "/messages": {
    post: {
      operationId: "createMessage",
      tags: ["Completions"],
      summary: "Create a message in the form of Anthropic's API, or a stream of one",
      requestBody: body(described(["model", "messages", "max_tokens"], request, "messages/create")),
      responses: {
        200: success(
          "The message; with `stream: true`, its events.",
          {
            "application/json": {
              schema: described(
                ["id", "type", "role", "model", "content", "usage"],
                {
                  id: text,
                  type: { const: "message" },
                  role: { const: "assistant" },
                  model: text,
                  content: { type: "array", items: { type: "object" } },
                  stop_reason: { type: ["string", "null"] },
                  stop_sequence: { type: ["string", "null"] },
                  usage,
                },
                "messages/create",
              ),
            },
            "text/event-stream": { schema: text },
          },
          completionHeaders,
        ),
        ...errors(400, 401, 402, 403, 404, 408, 413, 428, 429, 500, 502, 503, 529),
      },
    },
  },
  "/messages/count_tokens": {
    post: {
      operationId: "countMessageTokens",
      tags: ["Completions"],
      summary: "Count the input tokens of a message, free of charge",
      requestBody: body(described(["model", "messages"], request, "messages/count_tokens")),
      responses: {
        200: success("The number of tokens.", {
          "application/json": {
            schema: described(["input_tokens"], { input_tokens: { type: "integer" } }, "messages/count_tokens"),
          },
        }),
        ...errors(400, 401, 402, 403, 404, 408, 413, 428, 429, 500, 503),
      },
    },
  },
};
