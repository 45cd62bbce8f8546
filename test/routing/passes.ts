import { fetchTransport } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { askByFetch, askByOpenAI } from "./ask.ts";
import { type Pass, rows } from "./matrix.ts";
import { chatView } from "./views/chat-view.ts";
import { messagesView } from "./views/messages-view.ts";
import { responsesView } from "./views/responses-view.ts";

// `fetch` does not report when it has connected.
const pooledOnly = ["TLS that hangs"];

/** The passes of the failure matrix: each is a client and a transport, with the rows and targets that apply to them. */
export const passes = {
  pooled: {
    name: "pooledTransport, requests by fetch",
    rows,
    alternative: ["nothing", "the same target, recovered", "a healthy target", "a broken target"],
    view: chatView,
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  largerWindow: {
    name: "a prompt that is too long, and a target with a larger window",
    rows: rows.filter(({ name }) => name.startsWith("400")),
    alternative: ["a target with a larger window"],
    view: chatView,
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  openai: {
    name: "pooledTransport, requests by the official OpenAI client",
    rows,
    alternative: ["nothing"],
    view: chatView,
    ask: askByOpenAI,
    transport: () => pooledTransport(),
  },
  fetch: {
    name: "fetchTransport, requests by fetch",
    rows: rows.filter(({ name }) => !pooledOnly.includes(name)),
    alternative: ["a healthy target"],
    view: chatView,
    ask: askByFetch,
    transport: () => fetchTransport(),
  },
  messages: {
    name: "a client of Messages, translated",
    rows,
    alternative: ["nothing", "a healthy target"],
    view: messagesView,
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  responses: {
    name: "a client of Responses, translated",
    rows,
    alternative: ["nothing", "a healthy target"],
    view: responsesView,
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
} as const satisfies Readonly<Record<string, Pass>>;
