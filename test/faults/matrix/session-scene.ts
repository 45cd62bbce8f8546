import { assistants } from "@tollgate/assistants";
import { createGateway, type GatewayEvent } from "@tollgate/core";
import { webhookRunner } from "@tollgate/node";
import { expect } from "vitest";
import { type Mind, scriptOf } from "../../support/scripted-model.ts";
import { type ScriptedProvider, scriptedProvider } from "../../support/scripted-provider.ts";
import { checkSession } from "../sessions/check-sessions.ts";
import { noteKeeper, noteKeeperMind } from "../sessions/note-keeper.ts";
import { readContents } from "../sessions/session-contents.ts";
import { imageOf, type TurnAnswer, type TurnCall } from "../sessions/turn-attempt.ts";
import { opening, readBooks } from "./books.ts";
import { eventually } from "./cell.ts";
import type { Ports } from "./ports.ts";
import type { Seen, Times } from "./scene.ts";

const account = "ada";

// The scripted model reports 10 prompt tokens and 5 completion tokens.
const priceOfCall = 10n * 1_000n + 5n * 2_000n;

/** A gateway with an assistant whose session store can fail, and clients that record their answers. */
export class SessionScene {
  readonly events: GatewayEvent[] = [];
  readonly provider: ScriptedProvider;
  readonly #gateway: ReturnType<typeof openGateway>;
  readonly #sound: Ports;
  readonly #attempts: { call: TurnCall; begunAt: number; answer: TurnAnswer }[] = [];
  #secret = "";

  constructor(sound: Ports, ports: Ports, times: Times, target: string) {
    this.#sound = sound;
    const mind: Mind = (request, call) => noteKeeperMind(request, call);
    this.provider = scriptedProvider(scriptOf(mind));
    this.#gateway = openGateway(ports, times, target, this.provider, (event) => this.events.push(event));
  }

  /** Credits the account, and creates a key and sessions. */
  async open(sessions: number): Promise<string[]> {
    const { balances, keys, sessions: store } = this.#sound;
    await balances.credit({ id: "opening", account, amount: opening, reason: "test" });
    this.#secret = (await keys.create({ account, plan: "prepaid" })).secret;
    const ids = Array.from({ length: sessions }, () => crypto.randomUUID());
    const rest = { account, assistantId: "note-keeper", clientData: {}, ttlMs: 3_600_000 };
    for (const id of ids) await store.create({ id, ...rest });
    return ids;
  }

  /** Sends a message and records the answer. */
  async say(session: string, marker: string, stream: boolean): Promise<Seen> {
    const call = { session, marker };
    const body = { content: marker, images: [imageOf(marker)], stream };
    const begunAt = Date.now();
    const seen = await this.ask("POST", `/${session}/messages`, body);
    this.#attempts.push({ call, begunAt, answer: { outcome: isServed(seen) ? "completed" : "failed" } });
    return seen;
  }

  /** Calls a session endpoint; `path` follows "/session". */
  async ask(method: string, path: string, body?: object): Promise<Seen> {
    const headers = { authorization: `Bearer ${this.#secret}`, "content-type": "application/json" };
    const text = body && { body: JSON.stringify(body) };
    const request = new Request(`http://gateway.test/session${path}`, { method, headers, ...text });
    const response = await this.#gateway.sessions.fetch(request);
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, retryAfter, text: await response.text() };
  }

  /** Fails unless sessions are unlocked and complete, every request has ended, and the charges are exact. */
  async expectRest(sessions: readonly string[]): Promise<void> {
    for (const session of sessions) {
      await eventually(async () => expect((await this.say(session, crypto.randomUUID(), false)).status).toBe(200));
      expect(await this.#check(session)).toEqual([]);
    }
    expect(this.#gateway.inFlight()).toBe(0);
    await eventually(async () => {
      const { charged, ...books } = await readBooks(this.#sound.balances, [account]);
      expect(books).toMatchObject({ stuck: 0, double: 0, unsound: 0, late: 0 });
      expect(charged).toBe(BigInt(this.provider.calls.length) * priceOfCall);
    });
    await this.#gateway.drain({ timeoutMs: 0 });
  }

  async #check(session: string) {
    const ref = { id: session, account };
    const turn = { turnId: crypto.randomUUID(), leaseMs: 60_000, historyLimit: 0 };
    const start = await this.#sound.sessions.beginTurn(ref, turn);
    if (start.outcome !== "begun") throw new Error(`The session is ${start.outcome}.`);
    await this.#sound.sessions.endTurn(ref, { ...turn, messages: [], images: [] });
    const attempts = this.#attempts.filter(({ call }) => call.session === session);
    return checkSession(await readContents(this.#sound.sessions, ref, start.images), attempts);
  }
}

/** Tells whether a request succeeded: a 2xx status and, for a stream, its end. */
export const isServed = ({ status, text }: Seen): boolean =>
  status < 300 && (!text.startsWith("data: ") || text.endsWith("data: [DONE]\n\n"));

function openGateway(
  { keys, balances, limiter, sessions }: Ports,
  { storeTimeoutMs, leaseMs }: Times,
  target: string,
  provider: ScriptedProvider,
  observer: (event: GatewayEvent) => void,
) {
  const targets = [{ provider, model: "upstream-model" }];
  return createGateway({
    keys,
    balances,
    limiter,
    storeTimeoutMs,
    observer,
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
    extensions: [
      assistants({
        list: [noteKeeper(target)],
        sessions,
        runner: webhookRunner({ allowHttp: true, allowedTargets: [target] }),
        turns: { leaseMs },
      }),
    ],
  });
}
