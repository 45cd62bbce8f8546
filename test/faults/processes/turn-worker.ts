import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createGateway } from "@tollgate/core";
import { assistants } from "@tollgate/core/assistants";
import { webhookRunner } from "@tollgate/node";
import { scriptOf } from "../../support/scripted-model.ts";
import { scriptedProvider } from "../../support/scripted-provider.ts";
import { noteKeeper, noteKeeperMind } from "../sessions/note-keeper.ts";
import { imageOf, type TurnAnswer, type TurnCall } from "../sessions/turn-attempt.ts";
import { endRewrites, type TurnFlaw, writingOneByOne } from "../sessions/turn-flaws.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import type { StoreAddress } from "./open-store.ts";
import { type OpenStores, openStores } from "./open-stores.ts";
import { readTask } from "./task.ts";

/** A process whose clients send messages to the same sessions as those of others, until it is killed. */
export interface TurnTask {
  readonly store: StoreAddress;
  /** A key of the account whose the sessions are. */
  readonly secret: string;
  readonly sessions: readonly string[];
  /** Host and port of the webhooks' target. */
  readonly target: string;
  /** Of every turn's lock and of every hold. */
  readonly leaseMs: number;
  /** Messages that it sends at the same time. */
  readonly loops: number;
  readonly flaw?: TurnFlaw | undefined;
}

const task = readTask<TurnTask & Life>();
const journal = new Journal<TurnCall, TurnAnswer>(task.journal);
void work();

async function work(): Promise<void> {
  const { store, flaw, loops } = task;
  const stores = await openStores(store, flaw === "end without a look at the lock" ? endRewrites[store.kind] : []);
  const { sessions } = openGateway(stores);
  for (let loop = 0; loop < loops; loop++) void sendAlways(sessions.fetch, stores);
}

function openGateway({ keys, balances, sessions }: OpenStores) {
  const { leaseMs, target, flaw } = task;
  const provider = scriptedProvider(scriptOf(noteKeeperMind));
  const targets = [{ provider, model: "upstream-model" }];
  return createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 100,
        vision: true,
        imageTokens: 2_048,
        price: { input: "1", output: "2" },
        targets,
      },
    ],
    money: { leaseMs },
    assistants: assistants({
      list: [noteKeeper(target)],
      sessions: flaw === "messages one by one" ? writingOneByOne(sessions) : sessions,
      runner: webhookRunner({ allowHttp: true, allowedTargets: [target] }),
      turns: { leaseMs, historyLimit: 100_000 },
    }),
  });
}

async function sendAlways(fetch: (request: Request) => Promise<Response>, { planter }: OpenStores): Promise<void> {
  for (;;) {
    const session = task.sessions[randomInt(task.sessions.length)] ?? "";
    const call = { session, marker: crypto.randomUUID() };
    const { outcome } = await journal.record(
      call,
      () => send(fetch, call),
      (answer) => answer,
    );
    if (outcome === "kept") planter.requirePlanted();
    else await sleep(20);
  }
}

async function send(
  fetch: (request: Request) => Promise<Response>,
  { session, marker }: TurnCall,
): Promise<TurnAnswer> {
  const message = { content: marker, images: [imageOf(marker)], stream: randomInt(2) === 0 };
  const request = new Request(`http://gateway.test/session/${session}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${task.secret}`, "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  const response = await fetch(request);
  const text = await response.text();
  if (response.status === 200 && (!message.stream || text.endsWith("data: [DONE]\n\n"))) return { outcome: "kept" };
  if (text.includes('"session_busy"')) return { outcome: "refused" };
  if (text.includes('"store_unavailable"')) return { outcome: "failed" };
  return { outcome: "failed", strange: `${response.status} ${text.slice(0, 300)}` };
}
