import type { JsonObject } from "../../src/wire/json.ts";
import { ref } from "./answer-schemas.ts";
import { completionHeaders, errors, json, success } from "./responses.ts";

const responseId = { name: "id", in: "path", required: true, schema: { type: "string" } } as const;

/** The endpoints of the router. */
export const routerPaths: JsonObject = {
  "/models": {
    get: {
      operationId: "listModels",
      tags: ["Models"],
      summary: "List the models that the key may use",
      responses: {
        200: success("The models, in the configured order.", json("ModelList")),
        ...errors(401, 402, 403, 428, 429, 500, 503),
      },
    },
  },
  "/models/{id}": {
    get: {
      operationId: "showModel",
      tags: ["Models"],
      summary: "Show one model",
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "The id of the model. A slash in it may be percent-encoded or not.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: success("The model.", json("Model")),
        ...errors(401, 402, 403, 404, 428, 429, 500, 503),
      },
    },
  },
  "/chat/completions": {
    post: {
      operationId: "createChatCompletion",
      tags: ["Completions"],
      summary: "Create a completion, or a stream of one",
      requestBody: { required: true, content: json("ChatCompletionRequest") },
      responses: {
        200: success(
          "The completion; with `stream: true`, events with chunks, then `[DONE]`.",
          { ...json("ChatCompletion"), "text/event-stream": { schema: eventStream() } },
          completionHeaders,
        ),
        ...errors(400, 401, 402, 403, 404, 408, 413, 428, 429, 500, 502, 503),
      },
    },
  },
  "/responses": {
    post: {
      operationId: "createResponse",
      tags: ["Completions"],
      summary: "Create a response of OpenAI's Responses API, or a stream of its events",
      externalDocs: { url: "https://platform.openai.com/docs/api-reference/responses/create" },
      requestBody: { required: true, content: foreign("model") },
      responses: {
        200: success(
          "The response; with `stream: true`, its events, without `[DONE]`.",
          { ...foreign("id", "object"), "text/event-stream": { schema: { type: "string" } } },
          completionHeaders,
        ),
        ...errors(400, 401, 402, 403, 404, 408, 413, 428, 429, 500, 502, 503),
      },
    },
  },
  "/responses/{id}": {
    get: {
      operationId: "showResponse",
      tags: ["Completions"],
      summary: "Show a stored response",
      parameters: [responseId],
      responses: {
        200: success("The response.", foreign("id", "object")),
        ...errors(401, 403, 404, 428, 429, 500, 503),
      },
    },
    delete: {
      operationId: "deleteResponse",
      tags: ["Completions"],
      summary: "Delete a stored response",
      parameters: [responseId],
      responses: {
        200: success("It is deleted.", foreign("id", "object")),
        ...errors(401, 403, 404, 428, 429, 500, 503),
      },
    },
  },
  "/responses/{id}/input_items": {
    get: {
      operationId: "listResponseInput",
      tags: ["Completions"],
      summary: "List the input items of a stored response",
      parameters: [
        responseId,
        { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
        { name: "order", in: "query", schema: { type: "string", enum: ["asc", "desc"], default: "desc" } },
        {
          name: "after",
          in: "query",
          description: "The id of the last item of the page before.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: success("A page of items.", foreign("object", "data")),
        ...errors(400, 401, 403, 404, 428, 429, 500, 503),
      },
    },
  },
  "/embeddings": {
    post: {
      operationId: "createEmbeddings",
      tags: ["Embeddings"],
      summary: "Create the embeddings of texts",
      requestBody: { required: true, content: json("EmbeddingsRequest") },
      responses: {
        200: success("One embedding for each input, in their order.", json("EmbeddingList"), completionHeaders),
        ...errors(400, 401, 402, 403, 404, 408, 413, 428, 429, 500, 502, 503),
      },
    },
  },
};

/** Bodies of other APIs are described by those who define them. */
function foreign(...required: readonly string[]): JsonObject {
  const strings = Object.fromEntries(required.map((name) => [name, { type: "string" }]));
  return {
    "application/json": { schema: { type: "object", required, properties: strings, additionalProperties: true } },
  };
}

/** OpenAPI 3.1 has no schema for the events of a stream, so the body is text and the extension names their data. */
export function eventStream(): JsonObject {
  return { type: "string", "x-event-data": ref("ChatCompletionChunk") };
}
