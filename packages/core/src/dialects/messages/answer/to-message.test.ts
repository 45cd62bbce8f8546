import { describe, expect, it } from "vitest";
import { ProviderError } from "../../../errors/provider-error.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import { normalizeCompletion } from "../../../wire/normalize-completion.ts";
import { toMessage } from "./to-message.ts";

const usage = {
  prompt_tokens: 2_100,
  completion_tokens: 50,
  total_tokens: 2_150,
  prompt_tokens_details: { cached_tokens: 1_800, cache_write_tokens: 248, cache_write_1h_tokens: 100 },
};

function messageOf(message: object, choice: object = { finish_reason: "stop" }) {
  const given = { choices: [{ index: 0, message: { role: "assistant", ...message }, ...choice }] };
  const normalized = normalizeCompletion(given, { model: "public", id: "chatcmpl-1", created: 1 });
  if (normalized === undefined) throw new Error("The completion is invalid.");
  return toMessage(normalized.completion, { id: "msg_1", sequences: ["END"] }, usage);
}

const parts = [
  { type: "thinking", thinking: [{ type: "text", text: "Hmm." }] },
  { type: "text", text: "Yes." },
];

const called = (json: string) => ({
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "pay", arguments: json } }],
});

describe("toMessage", () => {
  it("maps a text with its usage, in which cached tokens are counted separately", () => {
    expect(messageOf({ content: "Hi! My name is Claude." })).toEqual({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "public",
      content: [{ type: "text", text: "Hi! My name is Claude." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 52,
        cache_creation_input_tokens: 248,
        cache_read_input_tokens: 1_800,
        cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
        output_tokens: 50,
      },
    });
  });

  it.each([
    ["reasoning_content", { reasoning_content: "Hmm.", content: "Yes." }],
    ["reasoning", { reasoning: "Hmm.", content: "Yes." }],
    ["both, and again in parts", { reasoning_content: "Hmm.", reasoning: "Hmm.", content: parts }],
  ])("maps the thoughts in %s", (_where, message) => {
    expect(messageOf(message)["content"]).toEqual([
      { type: "thinking", thinking: "Hmm.", signature: "" },
      { type: "text", text: "Yes." },
    ]);
  });

  it("maps a call, and keeps the digits of its input", () => {
    const message = messageOf(called('{"id":12345678901234567890}'), { finish_reason: "tool_calls" });
    expect(message["stop_reason"]).toBe("tool_use");
    expect(writeLosslessJson(message["content"])).toBe(
      '[{"type":"tool_use","id":"call_1","name":"pay","input":{"id":12345678901234567890}}]',
    );
  });

  it("refuses arguments that are not an object, unless the answer was cut off", () => {
    expect(() => messageOf(called('{"id":'), { finish_reason: "tool_calls" })).toThrow(ProviderError);
    expect(() => messageOf(called("12345678901234567890"), { finish_reason: "tool_calls" })).toThrow(ProviderError);
    const cut = messageOf(called('{"id":'), { finish_reason: "length" });
    expect(cut).toMatchObject({ stop_reason: "max_tokens", content: [{ type: "tool_use", input: {} }] });
  });

  it("says which stop sequence was found, if the upstream does", () => {
    const message = messageOf({ content: "A" }, { finish_reason: "stop", stop_reason: "END" });
    expect(message).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  it("maps a refusal", () => {
    expect(messageOf({ content: null, refusal: "I cannot." })).toMatchObject({
      content: [{ type: "text", text: "I cannot." }],
      stop_reason: "refusal",
    });
  });
});
