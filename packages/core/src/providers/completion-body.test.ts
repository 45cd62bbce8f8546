import { describe, expect, it } from "vitest";
import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion.ts";
import { collectCompletion, gatherCompletion } from "./completion-body.ts";

const options = { model: "public/model", id: "chatcmpl-made", created: 1_700_000_000 };
const encode = (...frames: unknown[]) =>
  new TextEncoder().encode(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));

describe("collectCompletion", () => {
  it("merges a stream into a completion", () => {
    const stream = encode(
      { choices: [{ delta: { content: "hel" } }] },
      { choices: [{ delta: { content: "lo" } }] },
      { choices: [{ delta: {}, finish_reason: "stop" }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    );
    expect(collectCompletion(stream, options)).toEqual({
      id: "chatcmpl-made",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "public/model",
      choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  it("joins the pieces of a legacy function call", () => {
    const stream = encode(
      { choices: [{ delta: { content: null, function_call: { name: "look_up", arguments: "" } } }] },
      { choices: [{ delta: { function_call: { arguments: '{"a"' } } }] },
      { choices: [{ delta: { function_call: { arguments: ":1}" } } }] },
      { choices: [{ delta: {}, finish_reason: "function_call" }] },
    );
    expect(collectCompletion(stream, options).choices[0]).toMatchObject({
      message: { content: null, function_call: { name: "look_up", arguments: '{"a":1}' } },
      finish_reason: "function_call",
    });
  });

  it.each([
    ["that was cut short", encode({ choices: [{ delta: { content: "hel" } }] })],
    ["with an error", encode({ error: { message: "no" } })],
  ])("throws for a stream %s", (_, stream) => {
    expect(() => collectCompletion(stream, options)).toThrow(ProviderError);
  });
});

async function* endless(delta: ChatCompletionChunk["choices"][number]["delta"], sent: { chunks: number }) {
  for (; sent.chunks < 1_000_000; sent.chunks++) yield { choices: [{ index: 0, delta }] };
}

it.each([
  ["text", { content: "x".repeat(1_000_000) }, 20],
  ["chunks without a text", {}, 300_000],
])("rejects an endless stream of %s", async (_name, delta, most) => {
  const sent = { chunks: 0 };
  await expect(gatherCompletion(endless(delta, sent))).rejects.toMatchObject({ failure: "invalid_response" });
  expect(sent.chunks).toBeLessThan(most);
});
