import { anthropic } from "@tollgate/anthropic";
import { createGateway, type Gateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { dialectEndpoints } from "@tollgate/core/internal";
import type { ByteStream, Transport } from "@tollgate/core/provider";
import type { Dialect } from "@tollgate/core/store";
import { google } from "@tollgate/google";
import { expect } from "vitest";
import { ask, type RawResponse } from "./ask.ts";
import { verify } from "./verify.ts";

/** What the upstream answers to every request. */
export interface UpstreamReply {
  readonly status?: number;
  readonly contentType: string;
  readonly chunks: readonly Uint8Array[];
}

const opening = 1_000_000_000_000_000_000n;
const account = "acme";
const maxOutputTokens = 1_000;
const contextWindow = 8_000;
/** Ten times the most that is held for a request, in nano-units: a token costs 1,000, and one of the output 2,000. */
const maxCharged = BigInt(10 * 1_000 * (contextWindow + 2 * maxOutputTokens));
/** After so many requests a new gateway is made, because its ledger keeps them all. */
const lifetime = 5_000;

/** A gateway with all HTTP providers, whose upstream answers with whatever a test says. The ledger is checked after each request. */
export class FuzzedGateway {
  reply: UpstreamReply = { contentType: "application/json", chunks: [] };
  #asked = 0;
  #scene: Scene | undefined;

  /** Sends a body in a dialect. Fails if the answer is an error of the gateway, or if the ledger does not add up. */
  async ask(dialect: Dialect, body: Uint8Array | string): Promise<RawResponse> {
    if (this.#asked % lifetime === 0) {
      // Its heartbeat would keep it in memory.
      await this.#scene?.gateway.drain();
      this.#scene = await this.#setScene();
    }
    this.#asked += 1;
    const { gateway, balances, headers } = this.#scene ?? expect.fail();
    const before = balances.balance(account).posted;
    const path = dialectEndpoints[dialect].path;
    const response = await ask(gateway, { method: "POST", path, headers, body: Buffer.from(body) });
    if (gateway.inFlight() > 0) await expect.poll(() => gateway.inFlight(), { interval: 1 }).toBe(0);
    const { posted, held } = balances.balance(account);
    verify(held === 0n, "Nothing is held after the answer", held);
    const charged = before - posted;
    verify(charged >= 0n && charged <= maxCharged, `The charge is between 0 and ${maxCharged}`, charged);
    if (this.#asked % 500 === 0) expect(balances.verify()).toEqual([]);
    verify(!response.text.includes("internal_error"), "The answer is no internal error", response.text);
    return response;
  }

  async #setScene(): Promise<Scene> {
    const keys = memoryKeyStore();
    const balances = memoryBalanceStore();
    balances.credit({ id: "opening", account, amount: opening, reason: "test" });
    const { secret } = await keys.create({ account, plan: "prepaid" });
    const transport: Transport = async () => {
      const { status = 200, contentType, chunks } = this.reply;
      return { status, header: (name) => (name === "content-type" ? contentType : undefined), body: streamOf(chunks) };
    };
    const gateway = createGateway({
      keys,
      balances,
      transport,
      plans: [{ id: "prepaid", billing: "prepaid" }],
      models: models(),
      // No input may keep the next one from its target.
      routing: { retries: 0, breaker: { threshold: 1_000_000_000 } },
      observer: () => undefined,
    });
    const headers = new Map([
      ["authorization", `Bearer ${secret}`],
      ["content-type", "application/json"],
    ]);
    return { gateway, balances, headers };
  }
}

interface Scene {
  readonly gateway: Gateway;
  readonly balances: ReturnType<typeof memoryBalanceStore>;
  readonly headers: ReadonlyMap<string, string>;
}

function models() {
  const upstream = { baseURL: "https://upstream.test/v1", apiKey: "sk-upstream" };
  const openai = openaiCompatible({ ...upstream, dialects: ["responses", "embeddings"] });
  const chat = { maxOutputTokens, contextWindow, vision: true, imageTokens: 100, price: { input: "1", output: "2" } };
  const reasoning = { effortLevels: ["low", "high"], defaultEffort: "low" };
  return [
    { id: "openai", ...chat, reasoning, targets: [{ provider: openai, model: "up" }] },
    { id: "anthropic", ...chat, reasoning, targets: [{ provider: anthropic(upstream), model: "up" }] },
    { id: "google", ...chat, targets: [{ provider: google({ apiKey: "k" }), model: "up" }] },
    {
      id: "vectors",
      kind: "embedding",
      price: { input: "1", output: "0" },
      targets: [{ provider: openai, model: "up" }],
    },
  ] as const;
}

function streamOf(chunks: readonly Uint8Array[]): ByteStream {
  let isCancelled = false;
  return {
    pipeTo(sink) {
      for (const chunk of chunks) if (!isCancelled) sink.write(chunk);
      if (!isCancelled) sink.close();
    },
    pause: () => undefined,
    resume: () => undefined,
    cancel() {
      isCancelled = true;
    },
  };
}
