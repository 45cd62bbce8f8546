import { randomInt } from "node:crypto";
import { basename, dirname } from "node:path";
import { createGateway } from "@tollgate/core";
import { type AnswerCall, type AnswerOutcome, storedAnswers, storedId } from "../dialects/answer-call.ts";
import { answeringProvider } from "../dialects/answering-provider.ts";
import { linkText } from "../dialects/conversation.ts";
import { isWholeAnswer, requestFormAt, requestForms, smallRequest } from "../dialects/small-request.ts";
import { storedResponseId } from "../dialects/stored-response-id.ts";
import { writingBehind } from "../dialects/writing-behind.ts";
import { Journal, readJournals } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import type { StoreAddress } from "./open-store.ts";
import { openStores } from "./open-stores.ts";
import { readTask } from "./task.ts";

/** The task of a process whose clients ask for answers in every dialect until it is killed. */
export interface AnswerTask {
  readonly store: StoreAddress;
  readonly secret: string;
  readonly leaseMs: number;
  /** The number of concurrent clients. */
  readonly loops: number;
  /** True: responses are acknowledged before they are written. */
  readonly writesBehind: boolean;
}

const maxLinks = 8;
const recent = 20;

const task = readTask<AnswerTask & Life>();
const journal = new Journal<AnswerCall, AnswerOutcome>(task.journal);
/** The responses that clients can continue, of this process and of those before it. */
const stored = storedAnswers(readJournals<AnswerCall, AnswerOutcome>(dirname(task.journal)));
void work();

async function work(): Promise<void> {
  const { keys, balances, responses } = await openStores(task.store);
  const targets = (isNative: boolean) => [{ provider: answeringProvider(20, isNative), model: "upstream-model" }];
  const chat = { maxOutputTokens: 100, contextWindow: 8_000, price: { input: "1", output: "2" } };
  // The input of an embedding costs as much as a whole answer.
  const embedding = { kind: "embedding", price: { input: "2", output: "0" } } as const;
  const { fetch } = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      { id: "native", ...chat, targets: targets(true) },
      { id: "translated", ...chat, targets: targets(false) },
      { id: "embedding", ...embedding, targets: targets(true) },
    ],
    money: { leaseMs: task.leaseMs },
    responses: { store: task.writesBehind ? writingBehind(responses, 50) : responses },
  });
  for (let loop = 0; loop < task.loops; loop++) void askAlways(fetch);
}

async function askAlways(fetch: (request: Request) => Promise<Response>): Promise<void> {
  for (;;) {
    const call = nextCall();
    const outcome = await journal.record(
      call,
      () => ask(fetch, call),
      (answer) => answer,
    );
    if (outcome === "refused") await new Promise((resolve) => setTimeout(resolve, 20));
    const id = storedId(outcome);
    if (id !== undefined) stored.push({ id, call });
  }
}

/** Half of the requests for responses continue one that was answered as stored lately. */
function nextCall(): AnswerCall {
  const { dialect, stream } = requestFormAt(randomInt(requestForms.length));
  const call = { requestId: crypto.randomUUID(), dialect, stream, process: basename(task.journal) };
  const latest = stored.slice(-recent);
  const previous = latest[randomInt(2 * recent)];
  const link = (previous?.call.link ?? maxLinks) + 1;
  if (dialect !== "responses" || previous === undefined || link > maxLinks) return { ...call, link: 0 };
  return { ...call, continues: previous.id, link };
}

async function ask(fetch: (request: Request) => Promise<Response>, call: AnswerCall): Promise<AnswerOutcome> {
  const model = call.dialect === "embeddings" ? "embedding" : randomInt(2) === 0 ? "native" : "translated";
  const text = linkText(call.link, call.requestId);
  const response = await fetch(smallRequest({ ...call, secret: task.secret, model, text }));
  const answer = await response.text();
  if (isWholeAnswer(call, response.status, answer)) {
    const stored = storedResponseId(answer);
    return stored === undefined ? "whole" : { stored };
  }
  return response.status === 503 ? "refused" : { unexpected: `${response.status} ${answer.slice(0, 300)}` };
}
