import { fetchTransport } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { askByFetch, askByOpenAI } from "./ask.ts";
import { type Pass, rows } from "./matrix.ts";

// `fetch` does not report when it has connected.
const pooledOnly = ["TLS that hangs"];

/** The passes of the failure matrix: each is a client and a transport, with the rows and targets that apply to them. */
export const passes = {
  pooled: {
    name: "pooledTransport, requests by fetch",
    rows,
    alternative: ["nothing", "the same target, recovered", "a healthy target", "a broken target"],
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  largerWindow: {
    name: "a prompt that is too long, and a target with a larger window",
    rows: rows.filter(({ name }) => name.startsWith("400")),
    alternative: ["a target with a larger window"],
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  openai: {
    name: "pooledTransport, requests by the official OpenAI client",
    rows,
    alternative: ["nothing"],
    ask: askByOpenAI,
    transport: () => pooledTransport(),
  },
  fetch: {
    name: "fetchTransport, requests by fetch",
    rows: rows.filter(({ name }) => !pooledOnly.includes(name)),
    alternative: ["a healthy target"],
    ask: askByFetch,
    transport: () => fetchTransport(),
  },
} as const satisfies Readonly<Record<string, Pass>>;
