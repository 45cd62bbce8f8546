import { textsOf } from "../../faults/dialects/conversation.ts";
import type { SpokenDialect } from "../../faults/dialects/small-request.ts";
import { isRecord } from "../../support/is-record.ts";
import type { Fault } from "../../upstream/fault.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import type { Reply } from "../../upstream/send-reply.ts";

/** How the upstream fails. An answer in one piece fails in its middle. */
export const plannedFaults = ["status", "reset before content", "reset after content", "stall"] as const;

/** What the upstream does with a request. It is the text of the prompt, so that the upstream needs to know nothing else. */
export interface PlannedAnswer {
  /** The id of the request. */
  readonly id: string;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly pieces: number;
  /** Milliseconds before each event of a stream. */
  readonly everyMs: number;
  readonly fault?: (typeof plannedFaults)[number] | "lost conversation";
  /** The number of attempts that fail. */
  readonly failures?: number;
  /** The number of responses before it in its conversation. Absent: not checked. */
  readonly link?: number;
}

/** The prices of the gateways' models, for their configuration. Only the input of an embedding has a price. */
export const prices = { chat: { input: "1", output: "2" }, embedding: { input: "2", output: "0" } } as const;

/** The same prices in nano-units per token. */
const perToken = { chat: { input: 1_000n, output: 2_000n }, embedding: { input: 2_000n, output: 0n } };

const pricesOf = (dialect: SpokenDialect) => perToken[dialect === "embeddings" ? "embedding" : "chat"];

/** Returns the cost of tokens in nano-units, independently of the gateway. */
export function costOf(dialect: SpokenDialect, { input, output }: PlannedAnswer["tokens"]): bigint {
  const price = pricesOf(dialect);
  return BigInt(input) * price.input + BigInt(output) * price.output;
}

/** The output cap of a small request. */
const maxOutput = 100;

/** Returns the most that a request of so many bytes can be charged: half of its bytes as tokens of its one message, and its output cap. */
export const maxCost = (dialect: SpokenDialect, bodyBytes: number): bigint =>
  costOf(dialect, { input: Math.ceil(bodyBytes / 2) + 8 + 32, output: maxOutput });

/** Returns the text of the prompt that asks for an answer. */
export const promptOf = (planned: PlannedAnswer): string => JSON.stringify(planned);

/** Returns the texts of a request in any dialect, with those of the conversation that it continues. */
export const textsIn = ({ messages, input }: Readonly<Record<string, unknown>>): string[] =>
  typeof input === "string" ? [input] : textsOf(messages ?? input);

/** Reads the plan from a request: it is the text of the last message. */
export function readPlan(body: Readonly<Record<string, unknown>>): PlannedAnswer {
  const plan: unknown = JSON.parse(textsIn(body).at(-1) ?? "null");
  if (isPlan(plan)) return plan;
  throw new Error(`The upstream received a request without a plan: ${JSON.stringify(body)}`);
}

const isPlan = (plan: unknown): plan is PlannedAnswer => isRecord(plan) && typeof plan["id"] === "string";

const faults: Readonly<Record<NonNullable<PlannedAnswer["fault"]>, Fault>> = {
  status: { kind: "status", status: 500 },
  "reset before content": { kind: "reset", before: "the first content" },
  "reset after content": { kind: "reset", before: "more content" },
  "lost conversation": { kind: "status", status: 400 },
  stall: { kind: "hang", before: "more content" },
};

/** Returns what the upstream sends at an attempt, the first of which is 1. */
export function replyTo({ id, tokens, pieces, everyMs, fault, failures = 0 }: PlannedAnswer, attempt: number): Reply {
  const texts = Array.from({ length: pieces }, (_, piece) => `piece ${piece} `);
  const answer = { ...textAnswer(texts, tokens), responseId: `resp_${id}` };
  const failing = fault !== undefined && attempt <= failures ? { fault: faults[fault] } : {};
  return { answer, everyMs, tokens: tokens.input, ...failing };
}
