import { fetchTransport } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { askByFetch, askByOpenAI } from "./ask.ts";
import { type Pass, rows } from "./matrix.ts";

// `fetch` does not tell when it has connected.
const others = ["TLS that hangs"];

/** The passes of the failure matrix: each is a client and a transport, with the rows and targets that apply to them. */
export const passes = {
  pooled: {
    name: "pooledTransport, asked by fetch",
    rows,
    beside: ["nothing", "the same target, recovered", "a healthy target", "a broken target"],
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  roomier: {
    name: "a prompt that is too long, and a target with a larger window",
    rows: rows.filter(({ name }) => name.startsWith("400")),
    beside: ["a roomier target"],
    ask: askByFetch,
    transport: () => pooledTransport(),
  },
  openai: {
    name: "pooledTransport, asked by the official OpenAI client",
    rows,
    beside: ["nothing"],
    ask: askByOpenAI,
    transport: () => pooledTransport(),
  },
  fetch: {
    name: "fetchTransport, asked by fetch",
    rows: rows.filter(({ name }) => !others.includes(name)),
    beside: ["a healthy target"],
    ask: askByFetch,
    transport: () => fetchTransport(),
  },
} as const satisfies Readonly<Record<string, Pass>>;
