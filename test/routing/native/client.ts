import { checkMessagesOrder, type StreamEnd } from "../../support/event-order/messages-order.ts";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";
import { objectIn, readEvents } from "../../support/event-order/server-sent-events.ts";
import { isRecord } from "../../support/is-record.ts";
import type { Form } from "../scene.ts";

/** A client of one dialect, by its plain HTTP. */
export interface DialectClient {
  readonly path: string;
  body(model: string, form: Form): object;
  /** Returns the text of an answer in one piece. */
  textOf(json: unknown): string;
  /** Checks the order of a whole stream. */
  check(stream: string): StreamEnd;
  /** Returns the text of a stream. */
  streamedText(stream: string): string;
  /** The status of a refusal, given that of OpenAI's API, and its code or type. */
  error(status: number, code: string): { readonly status: number; readonly code: string };
  /** Reads the code or type of an error body. */
  codeOf(json: unknown): unknown;
}

const messages = [{ role: "user", content: "Say something, please." }];

/** The clients by dialect. */
export const clients = {
  messages: {
    path: "/messages",
    body: (model, form) => ({ model, max_tokens: 500, messages, stream: form === "streamed" }),
    textOf: (json) => textsIn(isRecord(json) ? json["content"] : undefined),
    check: checkMessagesOrder,
    streamedText: (stream) =>
      readEvents(stream)
        .map(({ data }) => (data["type"] === "content_block_delta" ? objectIn(data, "delta")["text"] : ""))
        .join(""),
    error: (status, code) => {
      if (code === "upstream_overloaded") return { status: 529, code: "overloaded_error" };
      if (status === 413) return { status, code: "request_too_large" };
      return { status, code: status < 500 ? "invalid_request_error" : "api_error" };
    },
    codeOf: (json) => (isRecord(json) ? objectIn(json, "error")["type"] : undefined),
  },
  responses: {
    path: "/responses",
    body: (model, form) => ({ model, max_output_tokens: 500, input: messages, stream: form === "streamed" }),
    textOf: (json) => {
      const output = isRecord(json) ? json["output"] : undefined;
      return Array.isArray(output) ? output.map((item) => textsIn(isRecord(item) ? item["content"] : [])).join("") : "";
    },
    check: checkResponsesOrder,
    streamedText: (stream) =>
      readEvents(stream)
        .map(({ data }) => (data["type"] === "response.output_text.delta" ? data["delta"] : ""))
        .join(""),
    error: (status, code) => ({ status, code }),
    codeOf: (json) => (isRecord(json) ? objectIn(json, "error")["code"] : undefined),
  },
} as const satisfies Readonly<Record<string, DialectClient>>;

function textsIn(parts: unknown): string {
  return Array.isArray(parts) ? parts.map((part) => (isRecord(part) ? part["text"] : "")).join("") : "";
}
