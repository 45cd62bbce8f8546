import { randomInt } from "node:crypto";
import { createGateway } from "@tollgate/core";
import { answeringProvider } from "../dialects/answering-provider.ts";
import { isWholeAnswer, type SpokenDialect, smallRequest, spokenDialects } from "../dialects/small-request.ts";
import { Journal } from "./journal.ts";
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
  /** True: responses are acknowledged as stored without being stored. */
  readonly forgetsResponses: boolean;
}

/** One request of a client. */
export interface AnswerCall {
  readonly requestId: string;
  readonly dialect: SpokenDialect;
}

/** What the client received: a whole answer, the id of one that says that it is stored, a refusal, or anything else. */
export type AnswerOutcome = "whole" | "refused" | { readonly stored: string } | { readonly unexpected: string };

const task = readTask<AnswerTask & Life>();
const journal = new Journal<AnswerCall, AnswerOutcome>(task.journal);
void work();

async function work(): Promise<void> {
  const { keys, balances, responses } = await openStores(task.store);
  const store = task.forgetsResponses
    ? Object.assign(Object.create(responses), { save: async () => ({ outcome: "saved" }) })
    : responses;
  const model = (id: string, isNative: boolean) => ({
    id,
    maxOutputTokens: 100,
    contextWindow: 8_000,
    price: { input: "1", output: "2" },
    targets: [{ provider: answeringProvider(20, isNative), model: "upstream-model" }],
  });
  const { fetch } = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [model("native", true), model("translated", false)],
    money: { leaseMs: task.leaseMs },
    responses: { store },
  });
  for (let loop = 0; loop < task.loops; loop++) void askAlways(fetch);
}

async function askAlways(fetch: (request: Request) => Promise<Response>): Promise<void> {
  for (;;) {
    const dialect = spokenDialects[randomInt(spokenDialects.length)] ?? "chat";
    const call = { requestId: crypto.randomUUID(), dialect };
    const outcome = await journal.record(
      call,
      () => ask(fetch, call),
      (answer) => answer,
    );
    if (outcome === "refused") await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function ask(fetch: (request: Request) => Promise<Response>, call: AnswerCall): Promise<AnswerOutcome> {
  const stream = randomInt(2) === 0;
  const model = randomInt(2) === 0 ? "native" : "translated";
  const response = await fetch(smallRequest({ ...call, secret: task.secret, stream, model }));
  const text = await response.text();
  if (isWholeAnswer(call.dialect, stream, response.status, text)) return storedIn(text) ?? "whole";
  return response.status === 503 ? "refused" : { unexpected: `${response.status} ${text.slice(0, 300)}` };
}

/** Returns the id of a response that says that it is stored. The last event of a stream has the response. */
function storedIn(text: string): AnswerOutcome | undefined {
  const json = text.startsWith("{") ? text : text.slice(text.lastIndexOf("\ndata: ") + "\ndata: ".length);
  if (!json.startsWith("{")) return undefined;
  const data = JSON.parse(json);
  const { id, store } = data.response ?? data;
  return store === true ? { stored: String(id) } : undefined;
}
