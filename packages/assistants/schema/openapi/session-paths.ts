import type { JsonObject } from "@tollgate/core/provider";
import { ref } from "../../../core/schema/openapi/answer-schemas.ts";
import { errors, json, success } from "../../../core/schema/openapi/responses.ts";
import { eventStream } from "../../../core/schema/openapi/router-paths.ts";

const id: JsonObject = {
  name: "id",
  in: "path",
  required: true,
  description: "The id of the session.",
  schema: { type: "string", format: "uuid" },
};

const page = (cursor: "after" | "before"): readonly JsonObject[] => [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
  { name: cursor, in: "query", description: "The `next` of a page.", schema: { type: "string" } },
];

const form = (name: string): JsonObject => ({
  required: true,
  content: { ...json(name), "multipart/form-data": { schema: ref(name) } },
});

const common = [401, 403, 428, 429, 500, 503] as const;
const withBody = [400, 408, 413] as const;

function operation(operationId: string, summary: string, rest: JsonObject): JsonObject {
  return { operationId, tags: ["Sessions"], summary, ...rest };
}

/** The endpoints of sessions. */
export const sessionPaths: JsonObject = {
  "/session": {
    post: operation("createSession", "Create a session with an assistant", {
      requestBody: form("NewSession"),
      responses: {
        201: success("The session.", json("Session"), {
          Location: { description: "The path of the session.", required: true, schema: { type: "string" } },
        }),
        ...errors(...withBody, ...common, 404),
      },
    }),
    get: operation("listSessions", "List the sessions of the account, newest first", {
      parameters: page("before"),
      responses: { 200: success("A page.", json("SessionPage")), ...errors(400, ...common) },
    }),
  },
  "/session/{id}": {
    parameters: [id],
    get: operation("showSession", "Show a session", {
      responses: { 200: success("The session.", json("Session")), ...errors(...common, 404) },
    }),
    put: operation("updateSession", "Merge client data into a session; null removes a key", {
      requestBody: form("SessionUpdate"),
      responses: { 200: success("The session.", json("Session")), ...errors(...withBody, ...common, 404) },
    }),
    delete: operation("deleteSession", "Delete a session with its messages and logs", {
      responses: { 204: success("The session was deleted.", undefined), ...errors(...common, 404, 409) },
    }),
  },
  "/session/{id}/messages": {
    parameters: [id],
    get: operation("listMessages", "List the messages of a session, oldest first", {
      parameters: page("after"),
      responses: { 200: success("A page.", json("MessagePage")), ...errors(400, ...common, 404) },
    }),
    post: operation("createMessage", "Send a message to the assistant", {
      requestBody: { required: true, content: json("NewMessage") },
      responses: {
        200: success("The answer; with `stream: true`, one stream of all rounds.", {
          ...json("ChatCompletion"),
          "text/event-stream": { schema: eventStream() },
        }),
        ...errors(...withBody, ...common, 402, 404, 409, 502),
      },
    }),
  },
  "/session/{id}/logs": {
    parameters: [id],
    get: operation("listLogs", "List the webhook calls of a session, newest first", {
      parameters: page("before"),
      responses: { 200: success("A page.", json("LogPage")), ...errors(400, ...common, 404) },
    }),
  },
};
