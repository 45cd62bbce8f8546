import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answers } from "../conformance/dialects/answers.ts";
import { checkResponsesOrder } from "../support/event-order/responses-order.ts";
import { vectorOf } from "./embeddings-form.ts";
import type { Fault, Moment } from "./fault.ts";
import { type MockUpstream, startMockUpstream } from "./mock-upstream.ts";

let upstream: MockUpstream;
let anthropic: Anthropic;
let openai: OpenAI;

beforeEach(async () => {
  upstream = await startMockUpstream();
  anthropic = new Anthropic({
    baseURL: upstream.url.replace(/\/v1$/, ""),
    apiKey: "key",
    authToken: null,
    maxRetries: 0,
  });
  openai = new OpenAI({ baseURL: upstream.url, apiKey: "key", maxRetries: 0 });
});
afterEach(() => upstream.close());

const messages = [{ role: "user" as const, content: "Hello" }];

describe("a mock upstream, read by the official clients", () => {
  it.each(Object.entries(answers))("sends %s as a message, and the same as a stream", async (_name, answer) => {
    upstream.reply = () => ({ answer });
    const request = { model: "claude", max_tokens: 100, messages };
    const whole = await anthropic.messages.create(request);
    const streamed = await anthropic.messages.stream(request).finalMessage();
    const { _request_id: _ignored, usage, ...rest } = whole;
    expect(streamed).toMatchObject(JSON.parse(JSON.stringify(rest)));
    expect(streamed.usage).toMatchObject({ input_tokens: usage.input_tokens, output_tokens: usage.output_tokens });
  });

  it.each(Object.entries(answers))("sends %s as a response, and the same as a stream", async (_name, answer) => {
    upstream.reply = () => ({ answer });
    const whole = await openai.responses.create({ model: "gpt", input: "Hello" });
    const streamed = await openai.responses.stream({ model: "gpt", input: "Hello" }).finalResponse();
    const members = ({ output_text, status, usage, output }: OpenAI.Responses.Response) =>
      JSON.parse(JSON.stringify({ output_text, status, usage, output }));
    expect(members(streamed)).toMatchObject(members(whole));
  });

  it.each(Object.entries(answers))("sends %s as a completion, and the same as a stream", async (_name, answer) => {
    upstream.reply = () => ({ answer });
    const whole = await openai.chat.completions.create({ model: "gpt", messages });
    let content = "";
    let reason: string | null = null;
    for await (const { choices } of await openai.chat.completions.create({ model: "gpt", messages, stream: true })) {
      content += choices[0]?.delta.content ?? "";
      reason ??= choices[0]?.finish_reason ?? null;
    }
    expect([content, reason]).toEqual([whole.choices[0]?.message.content ?? "", whole.choices[0]?.finish_reason]);
  });

  it("sends embeddings as floats and in base64, and counts tokens", async () => {
    const floats = await openai.embeddings.create({ model: "embedder", input: ["a", "b"], encoding_format: "float" });
    const encoded = await openai.embeddings.create({ model: "embedder", input: ["a", "b"] });
    expect(upstream.last().body["encoding_format"]).toBe("base64");
    for (const { data } of [floats, encoded])
      expect(data.map(({ embedding }) => embedding)).toEqual([0, 1].map((at) => vectorOf(at)));
    expect(await anthropic.messages.countTokens({ model: "claude", messages })).toMatchObject({ input_tokens: 11 });
  });
});

const moments: readonly Moment[] = ["the first event", "the first content", "more content", "the last event"];
const kinds = ["reset", "close", "garbage", "error event"] as const;
const faults = kinds.flatMap((kind) => moments.map((before): Fault => ({ kind, before })));

describe("a mock upstream with a fault", () => {
  it.each(faults)("$kind before $before: no client reads a whole response", async (fault) => {
    upstream.reply = () => ({ answer: answers.text, fault });
    const read = async () => {
      const body = JSON.stringify({ model: "gpt", input: "Hello", stream: true });
      return checkResponsesOrder(await (await fetch(`${upstream.url}/responses`, { method: "POST", body })).text());
    };
    expect(await read().catch(() => "broken")).not.toBe("complete");
  });

  it("answers with a status and its headers", async () => {
    const fault: Fault = { kind: "status", status: 429, headers: { "retry-after": "7" } };
    upstream.reply = () => ({ answer: answers.text, fault });
    const error = await anthropic.messages
      .create({ model: "claude", max_tokens: 1, messages })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect(error.headers.get("retry-after")).toBe("7");
  });

  it("notices that a client has left", async () => {
    upstream.reply = () => ({ answer: answers.text, fault: { kind: "hang", before: "more content" } });
    const stream = anthropic.messages.stream({ model: "claude", max_tokens: 1, messages });
    for await (const event of stream) if (event.type === "content_block_delta") break;
    await upstream.last().closed;
    expect(upstream.last().wasAborted).toBe(true);
  });
});
