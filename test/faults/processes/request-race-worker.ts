import { randomInt } from "node:crypto";
import { createGateway } from "@tollgate/core";
import { answeringProvider } from "../dialects/answering-provider.ts";
import { linkText } from "../dialects/conversation.ts";
import { type RequestForm, requestFormAt, requestForms, smallRequest } from "../dialects/small-request.ts";
import type { SharedClients } from "../race/racers.ts";
import type { StoreAddress } from "./open-store.ts";
import { openStores } from "./open-stores.ts";
import { type LedgerMutation, rewrites } from "./statement-mutations.ts";
import { readTask } from "./task.ts";

/**
 * The task of a process whose clients send requests with each key that it receives, until they are refused. It replies
 * with what they received.
 */
export interface RequestRaceTask extends SharedClients {
  readonly store: StoreAddress;
  /** The price of a request, whatever it asks for. */
  readonly price: string;
  readonly mutation?: LedgerMutation | undefined;
}

/** What a client received. */
export interface RacedAnswer extends RequestForm {
  readonly requestId: string;
  readonly status: number;
  readonly text: string;
}

/** The most requests of a client, if it is never refused. */
const maxRequests = 20;

const { store, clients, price: request, mutation } = readTask<RequestRaceTask>();
void work();

async function work(): Promise<void> {
  const rewrite = mutation === undefined ? [] : rewrites[store.kind][mutation];
  const { keys, balances } = await openStores(store, rewrite);
  const targets = (isNative: boolean) => [{ provider: answeringProvider(20, isNative), model: "upstream-model" }];
  const common = { price: { input: "0", output: "0", request } };
  const chat = { ...common, maxOutputTokens: 100, contextWindow: 8_000 };
  const { fetch } = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      { id: "native", ...chat, targets: targets(true) },
      { id: "translated", ...chat, targets: targets(false) },
      { id: "embedding", kind: "embedding", ...common, targets: targets(true) },
    ],
    // A slow machine is not an outage.
    storeTimeoutMs: 60_000,
  });
  process.on("message", (secret: string) => {
    const all = Array.from({ length: clients }, (_, client) => askUntilRefused(fetch, client, secret));
    void Promise.all(all).then((answers) => process.send?.(answers.flat()));
  });
  process.send?.("ready");
}

type Fetch = (request: Request) => Promise<Response>;

/** Sends requests of all forms in turn. After the first refusal, one of each form follows. */
async function askUntilRefused(fetch: Fetch, client: number, secret: string): Promise<RacedAnswer[]> {
  const answers: RacedAnswer[] = [];
  let isRefused = false;
  for (let asked = client; !isRefused && asked < client + maxRequests; asked++) {
    const answer = await ask(fetch, requestFormAt(asked), secret);
    answers.push(answer);
    isRefused = answer.status !== 200;
  }
  for (const form of requestForms) answers.push(await ask(fetch, form, secret));
  return answers;
}

async function ask(fetch: Fetch, { dialect, stream }: RequestForm, secret: string): Promise<RacedAnswer> {
  const model = dialect === "embeddings" ? "embedding" : randomInt(2) === 0 ? "native" : "translated";
  const requestId = crypto.randomUUID();
  const text = linkText(0, requestId);
  const response = await fetch(smallRequest({ dialect, secret, stream, requestId, model, text }));
  return { requestId, dialect, stream, status: response.status, text: await response.text() };
}
