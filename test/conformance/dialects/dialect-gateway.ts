import { createServer } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import { anthropic } from "@tollgate/anthropic";
import { type GatewayOptions, type ModelConfig, memoryResponseStore, openaiCompatible } from "@tollgate/core";
import { nodeHandler, pooledTransport } from "@tollgate/node";
import OpenAI from "openai";
import { expect, vi } from "vitest";
import { listen } from "../../http/mounts/mount.ts";
import { canary } from "../../routing/script.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { type MockUpstream, startMockUpstream } from "../../upstream/mock-upstream.ts";
import type { AnswerTokens } from "../../upstream/model-answer.ts";
import { type RecordingFetch, recordingFetch } from "./recording-fetch.ts";

/** The models of the gateway, by the API that their upstream speaks. */
export const models = { messages: "claude", responses: "gpt", chat: "plain", embeddings: "embedder" } as const;

/** A gateway on node:http before a mock upstream, and clients of it. */
export interface DialectGateway extends RecordingFetch {
  readonly upstream: MockUpstream;
  readonly under: GatewayUnderTest;
  /** The base URL for OpenAI's clients, which ends in `/v1`. */
  readonly openaiURL: string;
  /** The base URL for Anthropic's clients. */
  readonly anthropicURL: string;
  key(): Promise<string>;
  anthropic(options?: ConstructorParameters<typeof Anthropic>[0]): Promise<Anthropic>;
  openai(options?: ConstructorParameters<typeof OpenAI>[0]): Promise<OpenAI>;
  /** Waits for every settlement and expects that the account was charged this amount in all, in nano-units. */
  expectCharged(amount: bigint): Promise<void>;
  close(): Promise<void>;
}

/** The prices in nano-units per token. */
const perToken = { input: 3_000n, cacheRead: 300n, write5m: 3_750n, write1h: 6_000n, output: 15_000n };
const price = { input: "3", cachedInput: "0.3", cacheWrite: "3.75", cacheWrite1h: "6", output: "15" };
const opening = 10_000_000_000n;

/** Returns the cost of an answer in nano-units, independently of the gateway. */
export const costOf = (tokens: AnswerTokens): bigint =>
  BigInt(tokens.input) * perToken.input +
  BigInt(tokens.cacheRead) * perToken.cacheRead +
  BigInt(tokens.cacheWrite5m) * perToken.write5m +
  BigInt(tokens.cacheWrite1h) * perToken.write1h +
  BigInt(tokens.output) * perToken.output;

/** Serves a gateway whose models have the mock upstream, each by another API. */
export async function serveDialects(options: Partial<GatewayOptions> = {}): Promise<DialectGateway> {
  const upstream = await startMockUpstream();
  const transport = pooledTransport();
  const under = gatewayUnderTest({
    models: modelsAt(upstream),
    transport,
    routing: { backoffMs: 1 },
    responses: { store: memoryResponseStore() },
    ...options,
  });
  // "acme" has a balance of 1 already.
  await under.balances.credit({ id: "more", account: "acme", amount: opening - 1_000_000_000n, reason: "test" });
  const { port, close } = await listen(createServer(nodeHandler(under.gateway, { prefix: "/router/v1" })));
  const anthropicURL = `http://127.0.0.1:${port}/router`;
  const openaiURL = `${anthropicURL}/v1`;
  const recording = recordingFetch();
  const common = { maxRetries: 0, fetch: recording.fetch };
  return {
    ...recording,
    upstream,
    under,
    openaiURL,
    anthropicURL,
    key: under.key,
    anthropic: async (wanted) =>
      new Anthropic({ baseURL: anthropicURL, apiKey: await under.key(), authToken: null, ...common, ...wanted }),
    openai: async (wanted) => new OpenAI({ baseURL: openaiURL, apiKey: await under.key(), ...common, ...wanted }),
    expectCharged: async (amount) => {
      await vi.waitFor(() => expect(under.gateway.inFlight()).toBe(0), { timeout: 10_000 });
      const { posted, held } = await under.balances.balance("acme");
      expect({ charged: opening - posted, held }).toEqual({ charged: amount, held: 0n });
    },
    close: async () => {
      await upstream.close();
      await under.gateway.drain({ timeoutMs: 1_000 });
      await close();
      await transport.destroy();
    },
  };
}

function modelsAt({ url: baseURL }: MockUpstream): ModelConfig[] {
  const common = { maxOutputTokens: 64_000, contextWindow: 200_000, price, vision: true, imageTokens: 100 } as const;
  const reasoning = { effortLevels: ["low", "medium", "high"], defaultEffort: "low", visible: true } as const;
  const account = { baseURL, apiKey: canary.key };
  const openai = (dialects: readonly ("responses" | "embeddings")[]) =>
    openaiCompatible({ ...account, name: "provider-openai", dialects });
  const at = (provider: ModelConfig["targets"][number]["provider"]) => [{ provider, model: canary.model }];
  return [
    {
      ...common,
      id: models.messages,
      displayName: "Claude",
      reasoning,
      targets: at(anthropic({ ...account, name: "provider-anthropic" })),
    },
    { ...common, id: models.responses, reasoning, targets: at(openai(["responses"])) },
    { ...common, id: models.chat, reasoning, targets: at(openai([])) },
    {
      id: models.embeddings,
      kind: "embedding",
      price: { input: "0.1", output: "0" },
      contextWindow: 8_192,
      targets: at(openai(["embeddings"])),
    },
  ];
}
