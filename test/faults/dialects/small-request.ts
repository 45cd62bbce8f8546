import type { Dialect } from "@tollgate/core/store";
import { checkMessagesOrder } from "../../support/event-order/messages-order.ts";
import { checkResponsesOrder } from "../../support/event-order/responses-order.ts";

/** The dialects that fault tests speak. */
export const spokenDialects = ["chat", "messages", "responses"] as const satisfies readonly Dialect[];

/** One of them. */
export type SpokenDialect = (typeof spokenDialects)[number];

const messages = [{ role: "user", content: "Hello" }];

const requests = {
  chat: { path: "/chat/completions", body: { messages, max_tokens: 100 } },
  messages: { path: "/messages", body: { messages, max_tokens: 100 } },
  responses: { path: "/responses", body: { input: messages, max_output_tokens: 100 } },
} as const satisfies Readonly<Record<SpokenDialect, object>>;

/** What is asked, and for whom. */
export interface SmallRequest {
  readonly dialect: SpokenDialect;
  readonly secret: string;
  readonly stream: boolean;
  readonly requestId: string;
  readonly model?: string;
}

/** Returns a small request in a dialect, for the model "plain" unless another one is given. */
export function smallRequest({ dialect, secret, stream, requestId, model = "plain" }: SmallRequest): Request {
  const { path, body } = requests[dialect];
  const headers = {
    authorization: `Bearer ${secret}`,
    "content-type": "application/json",
    "x-request-id": requestId,
  };
  const text = JSON.stringify({ model, stream, ...body });
  return new Request(`http://gateway.test/router/v1${path}`, { method: "POST", headers, body: text });
}

/** Returns true if a client of the dialect reads a whole answer. */
export function isWholeAnswer(dialect: SpokenDialect, stream: boolean, status: number, text: string): boolean {
  if (status !== 200) return false;
  if (!stream) return text.endsWith("}");
  if (dialect === "chat") return text.endsWith("data: [DONE]\n\n");
  return (dialect === "messages" ? checkMessagesOrder : checkResponsesOrder)(text) === "complete";
}
