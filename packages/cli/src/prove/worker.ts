import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createGateway, type ModelConfig } from "@tollgate/core";
import type { BalanceStore, KeyAdmin, KeyStore } from "@tollgate/core/store";
import { Journal } from "./journal.ts";
import type { ProofPlace } from "./place.ts";
import { recordBalances } from "./recorded-balances.ts";
import { modelsOf, outputCap, standIn } from "./stand-in.ts";

/** A key whose account the clients spend. */
export interface ProofKey {
  readonly id: string;
  readonly account: string;
  readonly secret: string;
}

/** The task of a process that serves its own clients until it is killed, or until it is told to stop. */
export interface ProofTask {
  readonly place: ProofPlace;
  readonly keys: readonly ProofKey[];
  /** The path of its journal. */
  readonly journal: string;
}

/** What a process tells its parent. `unshared`: its stores do not have the key that the parent created. */
export type WorkerMessage = "unshared" | "answered" | { readonly refused: string };

/** The stores that a gateway needs. */
export interface ProofStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
  readonly models: readonly ModelConfig[];
}

/** The lease of a hold. */
export const leaseMs = 2_000;

const clients = 6;

/** Serves requests until the parent sends a message. Resolves when all of them have ended. */
export async function serveClients({ keys, balances, models }: ProofStores, task: ProofTask): Promise<void> {
  process.once("disconnect", () => process.exit());
  const [first] = task.keys;
  if (first === undefined || (await keys.get(first.id)) === undefined) return tellLast("unshared");
  const journal = new Journal(task.journal);
  const { store, lastInsufficient } = recordBalances(balances, journal);
  const provider = standIn(journal, leaseMs / 4);
  const sold = modelsOf(models, provider);
  const gateway = createGateway({
    keys,
    balances: store,
    plans: [{ id: "proof", billing: "prepaid" }],
    models: sold,
    money: { leaseMs },
    observer: () => undefined,
  });
  const stop = new AbortController();
  process.once("message", () => stop.abort());
  const ids = sold.map(({ id }) => id);
  const client = { fetch: gateway.fetch, journal, keys: task.keys, models: ids, store, lastInsufficient };
  await Promise.all(Array.from({ length: clients }, () => askUntil(stop.signal, client)));
  await gateway.drain({ timeoutMs: 10_000 });
  journal.write({ did: "drain" });
}

const tell = (message: WorkerMessage): void => void process.send?.(message);

/** Resolves when the message has been sent, so that the process can end. */
const tellLast = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });

interface Client {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly journal: Journal;
  readonly keys: readonly ProofKey[];
  readonly models: readonly string[];
  readonly store: BalanceStore;
  readonly lastInsufficient: () => bigint;
}

async function askUntil(stop: AbortSignal, client: Client): Promise<void> {
  while (!stop.aborted) await ask(client);
}

async function ask(client: Client): Promise<void> {
  const { account, secret } = oneOf(client.keys);
  const [requestId, stream] = [randomUUID(), randomInt(3) > 0];
  const response = await client.fetch(requestOf({ requestId, secret, stream, model: oneOf(client.models) }));
  if (response.status !== 200) return beRefused(client, account, response);
  if (stream && randomInt(8) === 0) return leave(response);
  const text = await response.text();
  if (!text.endsWith(stream ? "data: [DONE]\n\n" : "}")) return tell({ refused: text.slice(-300) });
  client.journal.write({ did: "answer", requestId });
  tell("answered");
}

interface Asked {
  readonly requestId: string;
  readonly secret: string;
  readonly stream: boolean;
  readonly model: string;
}

function requestOf({ requestId, secret, stream, model }: Asked): Request {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", "x-request-id": requestId };
  const messages = [{ role: "user", content: "Hello" }];
  const body = JSON.stringify({ model, messages, stream, max_completion_tokens: outputCap });
  return new Request("http://gateway.local/router/v1/chat/completions", { method: "POST", headers, body });
}

/** Pays in when the balance is insufficient, twice with the same id. Rarely, so that requests compete for what is left. */
async function beRefused({ journal, store, lastInsufficient }: Client, account: string, response: Response) {
  const text = await response.text();
  journal.write({ did: "refuse", status: response.status });
  if (response.status !== 402) tell({ refused: `${response.status} ${text.slice(0, 300)}` });
  else if (randomInt(3) === 0) {
    const posting = { id: randomUUID(), account, amount: 10n * lastInsufficient(), reason: "top-up of a proof" };
    for (const _time of ["first", "again"]) await store.credit(posting);
  }
  await sleep(5);
}

async function leave({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
