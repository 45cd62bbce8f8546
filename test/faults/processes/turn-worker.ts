import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { assistants } from "@tollgate/assistants";
import { createGateway } from "@tollgate/core";
import { webhookRunner } from "@tollgate/node";
import { scriptOf } from "../../support/scripted-model.ts";
import { scriptedProvider } from "../../support/scripted-provider.ts";
import { noteKeeper, noteKeeperMind } from "../sessions/note-keeper.ts";
import { imageOf, type TurnAnswer, type TurnCall } from "../sessions/turn-attempt.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import type { StoreAddress } from "./open-store.ts";
import { type OpenStores, openStores } from "./open-stores.ts";
import { readTask } from "./task.ts";

/**
 * The task of a process that sends messages to the sessions that it shares with other processes, until it is killed.
 */
export interface TurnTask {
  readonly store: StoreAddress;
  /** A key of the account of the sessions. */
  readonly secret: string;
  readonly sessions: readonly string[];
  /** Host and port of the webhook target. */
  readonly target: string;
  /** The lease of every turn and every hold. */
  readonly leaseMs: number;
  /** The number of concurrent messages. */
  readonly loops: number;
}

const task = readTask<TurnTask & Life>();
const journal = new Journal<TurnCall, TurnAnswer>(task.journal);
void work();

async function work(): Promise<void> {
  const { store, loops } = task;
  const stores = await openStores(store);
  const { sessions } = openGateway(stores);
  for (let loop = 0; loop < loops; loop++) void sendAlways(sessions.fetch);
}

function openGateway({ keys, balances, sessions }: OpenStores) {
  const { leaseMs, target } = task;
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
    extensions: [
      assistants({
        list: [noteKeeper(target)],
        sessions,
        runner: webhookRunner({ allowHttp: true, allowedTargets: [target] }),
        turns: { leaseMs, historyLimit: 100_000 },
      }),
    ],
  });
}

async function sendAlways(fetch: (request: Request) => Promise<Response>): Promise<void> {
  for (;;) {
    const session = task.sessions[randomInt(task.sessions.length)] ?? "";
    const call = { session, marker: crypto.randomUUID() };
    const { outcome } = await journal.record(
      call,
      () => send(fetch, call),
      (answer) => answer,
    );
    if (outcome !== "completed") await sleep(20);
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
  if (response.status === 200 && (!message.stream || text.endsWith("data: [DONE]\n\n")))
    return { outcome: "completed" };
  if (text.includes('"session_busy"')) return { outcome: "refused" };
  if (text.includes('"store_unavailable"')) return { outcome: "failed" };
  return { outcome: "failed", unexpected: `${response.status} ${text.slice(0, 300)}` };
}
