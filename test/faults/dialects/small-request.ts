import type { Dialect } from "@tollgate/core/store";
import { checkMessagesOrder } from "../../support/event-order/messages-order.ts";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";

/** The dialects that fault tests speak. */
export const spokenDialects = ["chat", "messages", "responses", "embeddings"] as const satisfies readonly Dialect[];

/** One of them. */
export type SpokenDialect = (typeof spokenDialects)[number];

interface Form {
  readonly path: string;
  body(text: string): object;
  readonly streams: boolean;
}

const messagesOf = (content: string) => [{ role: "user", content }];

const forms: Readonly<Record<SpokenDialect, Form>> = {
  chat: {
    path: "/chat/completions",
    body: (text) => ({ messages: messagesOf(text), max_tokens: 100 }),
    streams: true,
  },
  messages: { path: "/messages", body: (text) => ({ messages: messagesOf(text), max_tokens: 100 }), streams: true },
  responses: {
    path: "/responses",
    body: (text) => ({ input: messagesOf(text), max_output_tokens: 100 }),
    streams: true,
  },
  embeddings: { path: "/embeddings", body: (text) => ({ input: text }), streams: false },
};

/** A dialect, and whether the answer is a stream. */
export interface RequestForm {
  readonly dialect: SpokenDialect;
  readonly stream: boolean;
}

/** Every dialect, in one piece and, if it has streams, as a stream. */
export const requestForms: readonly RequestForm[] = [false, true].flatMap((stream) =>
  spokenDialects.filter((dialect) => !stream || forms[dialect].streams).map((dialect) => ({ dialect, stream })),
);

/** Returns one of the forms, which repeat in turn. */
export const requestFormAt = (at: number): RequestForm =>
  requestForms[at % requestForms.length] ?? { dialect: "chat", stream: false };

/** What is asked, and for whom. */
export interface SmallRequest extends RequestForm {
  readonly secret: string;
  readonly requestId: string;
  readonly model: string;
  readonly text?: string;
  /** The id of a stored response that the request continues. */
  readonly continues?: string | undefined;
}

/** The path below the gateway, the headers and the body of a small request. */
export interface RequestParts {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the parts of a small request in a dialect. */
export function smallRequestParts(asked: SmallRequest): RequestParts {
  const { dialect, secret, stream, requestId, model, text = "Hello", continues } = asked;
  const { path, body } = forms[dialect];
  const headers = {
    authorization: `Bearer ${secret}`,
    "content-type": "application/json",
    "x-request-id": requestId,
  };
  const members = { ...(stream && { stream }), ...body(text), previous_response_id: continues };
  return { path, headers, body: JSON.stringify({ model, ...members }) };
}

/** Returns a small request in a dialect. */
export function smallRequest(asked: SmallRequest): Request {
  const { path, headers, body } = smallRequestParts(asked);
  return new Request(`http://gateway.test/router/v1${path}`, { method: "POST", headers, body });
}

/** Returns true if a client of the dialect reads a whole answer. */
export function isWholeAnswer({ dialect, stream }: RequestForm, status: number, text: string): boolean {
  if (status !== 200) return false;
  if (!stream) return text.endsWith("}");
  if (dialect === "chat") return text.endsWith("data: [DONE]\n\n");
  return (dialect === "messages" ? checkMessagesOrder : checkResponsesOrder)(text) === "complete";
}
