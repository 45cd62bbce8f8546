import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import type { Gateway } from "@tollgate/core";
import { generateText, type LanguageModel, streamText } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

const model = "plain";
const messages = [{ role: "user" as const, content: "Hello" }];

/** What each client can do. */
interface Client {
  ask(): Promise<string | null | undefined>;
  stream(signal: AbortSignal): AsyncIterable<string | null | undefined>;
}

interface Settings {
  readonly fetch: Gateway["fetch"];
  readonly apiKey: string;
}

const baseURL = "http://gateway.local/router/v1";

const clients: Readonly<Record<string, (settings: Settings) => Client>> = {
  openai(settings) {
    const { chat } = new OpenAI({ ...settings, baseURL, maxRetries: 0 });
    return {
      ask: async () => (await chat.completions.create({ model, messages })).choices[0]?.message.content,
      async *stream(signal) {
        const chunks = await chat.completions.create({ model, messages, stream: true }, { signal });
        for await (const { choices } of chunks) yield choices[0]?.delta.content;
      },
    };
  },
  "@anthropic-ai/sdk"(settings) {
    const anthropic = new Anthropic({ ...settings, baseURL: "http://gateway.local/router", maxRetries: 0 });
    const body = { model, messages, max_tokens: 100 };
    return {
      async ask() {
        const [block] = (await anthropic.messages.create(body)).content;
        return block?.type === "text" ? block.text : undefined;
      },
      async *stream(signal) {
        for await (const event of await anthropic.messages.create({ ...body, stream: true }, { signal }))
          if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
      },
    };
  },
  "@ai-sdk/openai": (settings) => ofAiSdk(createOpenAI({ ...settings, baseURL }).chat(model)),
  "@ai-sdk/openai-compatible": (settings) =>
    ofAiSdk(createOpenAICompatible({ ...settings, baseURL, name: "acme" }).chatModel(model)),
};

const ofAiSdk = (languageModel: LanguageModel): Client => ({
  ask: async () => (await generateText({ model: languageModel, messages, maxRetries: 0 })).text,
  stream: (abortSignal) =>
    streamText({ model: languageModel, messages, abortSignal, maxRetries: 0, onError: () => undefined }).textStream,
});

async function connect(name: string, tested: GatewayUnderTest = gatewayUnderTest()) {
  // A client calls `fetch` without its gateway.
  const { fetch } = tested.gateway;
  const client = clients[name]?.({ fetch, apiKey: await tested.key() });
  if (client === undefined) throw new Error(name);
  return { tested, client };
}

describe.each(Object.keys(clients))("%s in the process of the gateway", (name) => {
  it("gets an answer", async () => {
    const { tested, client } = await connect(name);
    tested.provider.script = { complete: async () => completionOf("Hi") };
    expect(await client.ask()).toBe("Hi");
    expect(tested.balances.balance("acme").held).toBe(0n);
  });

  it("gets a stream", async () => {
    const { tested, client } = await connect(name);
    tested.provider.script = { stream: () => chunksOf(["Hel", "lo"]) };
    const texts = [];
    for await (const text of client.stream(new AbortController().signal)) texts.push(text);
    expect(texts.join("")).toBe("Hello");
  });

  it("gets an error", async () => {
    const { tested, client } = await connect(name);
    tested.balances.debit({ id: "all", account: "acme", amount: "1", reason: "test" });
    const error = await client.ask().catch((thrown: object) => thrown);
    expect({ status: 402, statusCode: 402 }).toMatchObject(statusOf(error));
    expect(String(error)).toContain("but only 0 is available");
  });

  it("aborts the call of the provider with its stream, which is charged", async () => {
    const { tested, client } = await connect(name);
    tested.provider.script = {
      async *stream({ signal }) {
        for await (const chunk of chunksOf(["Hel"])) {
          if (chunk.choices[0]?.finish_reason !== null)
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          yield chunk;
        }
      },
    };
    const controller = new AbortController();
    const texts = [];
    try {
      for await (const text of client.stream(controller.signal)) {
        if (text) texts.push(text);
        if (texts.length === 1) controller.abort();
      }
    } catch (error) {
      expect(String(error)).toContain("abort");
    }
    expect(texts).toEqual(["Hel"]);
    await tested.gateway.drain();
    expect(tested.provider.calls[0]?.signal.aborted).toBe(true);
    expect(tested.events.at(-1)).toMatchObject({ type: "request.completed", ending: "client_gone" });
    const { posted, held } = tested.balances.balance("acme");
    expect([posted < 1_000_000_000n, held]).toEqual([true, 0n]);
  });
});

/** OpenAI and Anthropic name it `status`, the AI SDK `statusCode`. */
const statusOf = (error: unknown): object =>
  Object.fromEntries(Object.entries(Object(error)).filter(([name]) => name === "status" || name === "statusCode"));
