import { randomInt, randomUUID } from "node:crypto";
import { type RequestForm, requestForms } from "../../faults/dialects/small-request.ts";
import { type PlannedAnswer, plannedFaults } from "../upstream/planned-answer.ts";

/** When a client leaves: so long after its request, or after so many bytes of the answer. */
export type Abort = { readonly afterMs: number } | { readonly afterBytes: number };

/** One request of a client. */
export interface SoakCall extends RequestForm {
  readonly model: string;
  readonly plan: PlannedAnswer;
  readonly abort?: Abort;
  /** The id of a stored response that the request continues. */
  readonly continues?: string;
}

/** What the client received. `whole`: all of an answer. `cut`: a part of one, or nothing. `broken`: not what the dialect allows. */
export interface Outcome {
  readonly kind: "whole" | "refused" | "cut" | "broken";
  readonly by?: "client" | "connection" | "error frame";
  /** Absent before the headers. */
  readonly status?: number;
  /** The body of a refusal, or the rule that an answer breaks. */
  readonly text?: string;
  /** The id of a response that was answered as stored. */
  readonly stored?: string;
}

/** One request with its outcome. Times are in milliseconds since the Unix epoch. */
export interface SoakRecord {
  readonly call: SoakCall;
  readonly outcome: Outcome;
  readonly account: string;
  /** The name of the process that served it. */
  readonly gateway: string;
  readonly bodyBytes: number;
  readonly endedAt: number;
}

const models = {
  chat: ["plain", "claude"],
  messages: ["claude", "plain"],
  responses: ["gpt", "plain"],
  embeddings: ["embedder"],
} as const;

const streams = requestForms.filter(({ stream }) => stream);
const wholes = requestForms.filter(({ stream }) => !stream);

/** Returns a request without faults. Half of them are streams. */
export function plainCall(): SoakCall {
  const form = oneOf(chance(0.5) ? streams : wholes);
  const tokens = { input: randomInt(5, 60), output: randomInt(5, 90) };
  const pieces = randomInt(2, 8);
  return {
    ...form,
    model: oneOf<string>(models[form.dialect]),
    plan: { id: randomUUID(), tokens, pieces, everyMs: randomInt(0, 15) },
  };
}

/** Returns a request of the soak: 20% of the clients leave, and the upstream fails for 10%, mostly not at every attempt. */
export function soakCall(): SoakCall {
  const call = plainCall();
  const fault = chance(0.1) ? { fault: oneOf(plannedFaults), failures: randomInt(1, 4) } : {};
  const leaves = chance(0.2);
  // An upstream that has written all of an answer cannot show when its client leaves.
  const everyMs = leaves ? randomInt(5, 25) : call.plan.everyMs;
  const plan = { ...call.plan, ...fault, everyMs };
  if (!leaves) return { ...call, plan };
  const byTime = !call.stream || chance(0.4);
  return { ...call, plan, abort: byTime ? { afterMs: randomInt(0, 60) } : { afterBytes: randomInt(1, 800) } };
}

const chance = (share: number): boolean => Math.random() < share;

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
