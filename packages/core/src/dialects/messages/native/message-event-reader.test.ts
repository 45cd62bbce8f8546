import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../errors/gateway-error.ts";
import { AnswerGuard } from "../../../upstream/answer-guard.ts";
import { NativeTranslator } from "../../../upstream/native-translator.ts";
import { encodeUtf8 } from "../../../wire/bytes.ts";
import { messageMembers } from "../../known-members.ts";
import { MessageEventReader } from "./message-event-reader.ts";

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const event = (data: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const usage = { input_tokens: 21, cache_creation_input_tokens: 248, cache_read_input_tokens: 1_800, output_tokens: 1 };
const start = (model: string) =>
  event({
    type: "message_start",
    message: { id: "msg_01", type: "message", role: "assistant", content: [], model, stop_reason: null, usage },
  });
const block = event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } });
const deltas = [
  { type: "thinking_delta", thinking: "Hmm." },
  { type: "signature_delta", signature: "EqQBCgIYAhIM" },
  { type: "text_delta", text: "Yes.", citations: [] },
].map((delta) => event({ type: "content_block_delta", index: 0, delta }));
const ping = event({ type: "ping" });
const blockStop = event({ type: "content_block_stop", index: 0 });
const stop = event({
  type: "message_delta",
  delta: { stop_reason: "end_turn", stop_sequence: null },
  usage: { output_tokens: 5, input_tokens: null },
});
const last = event({ type: "message_stop", "amazon-bedrock-invocationMetrics": { latency: 1 } });

const streamOf = (text: string) => {
  const translator = new NativeTranslator(new MessageEventReader("public", "req_1"), {
    failureContext: () => ({ hidden: ["upstream-model"] }),
    guard: () =>
      new AnswerGuard(messageMembers, { public: "public", upstream: "upstream-model" }, encodeUtf8(""), {
        hidden: ["upstream-model"],
      }),
    onUnknownEvent: () => undefined,
  });
  return { translator, text: decode(translator.translate(encodeUtf8(text))) };
};

describe("MessageEventReader", () => {
  it("forwards all events as they are, but for the model, and withholds the end until it was charged", () => {
    const { translator, text } = streamOf(
      start("upstream-model") + ping + block + deltas.join("") + blockStop + stop + last,
    );
    expect(text).toBe(start("public") + ping + block + deltas.join("") + blockStop);
    expect(translator).toMatchObject({ complete: true, done: true, outputBytes: 8 });
    expect(translator.usage).toEqual({
      prompt_tokens: 2_069,
      completion_tokens: 5,
      total_tokens: 2_074,
      prompt_tokens_details: { cached_tokens: 1_800, cache_write_tokens: 248 },
    });
    const charged = translator.usage ?? { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(decode(new MessageEventReader("public", "req_1").finish(charged))).toContain("event: message_stop\n");
    expect(translator.finish(charged)).toEqual(encodeUtf8(stop + event({ type: "message_stop" })));
  });

  it.each([
    [{ type: "tool_use", id: "t", name: "pay", input: { to: "Ann" } }, 15],
    [{ type: "redacted_thinking", data: "Zm9v" }, 4],
    [{ type: "text", text: "hello" }, 5],
    [{ type: "tool_use", id: "t", name: "pay", input: {} }, 3],
    [{ type: "image", source: { type: "url", url: "https://a.test/1.png" } }, 4 * 1_290],
  ])("counts the output in the start of a block: %j", (content_block, bytes) => {
    const { translator } = streamOf(start("up") + event({ type: "content_block_start", index: 0, content_block }));
    expect(translator).toMatchObject({
      outputBytes: bytes,
      hasHiddenReasoning: content_block.type === "redacted_thinking",
    });
  });

  it("takes a block of thoughts with only a signature for hidden reasoning", () => {
    const signed = event({
      type: "content_block_delta",
      index: 0,
      delta: { type: "signature_delta", signature: "EqQBCgIYAhIM" },
    });
    expect(streamOf(start("up") + block + signed).translator.hasHiddenReasoning).toBe(false);
    expect(streamOf(start("up") + block + signed + blockStop).translator.hasHiddenReasoning).toBe(true);
    expect(streamOf(start("up") + block + deltas.join("") + blockStop).translator.hasHiddenReasoning).toBe(false);
  });

  it("takes no usage with more than 10^9 tokens, nor what was told before it", () => {
    const delta = { stop_reason: "end_turn", stop_sequence: null };
    const { translator } = streamOf(
      start("up") + event({ type: "message_delta", delta, usage: { output_tokens: 2_000_000_000 } }) + last,
    );
    expect(translator.usage).toBeUndefined();
    expect(translator.reported?.usage).toMatchObject({ told: { completion_tokens: 2_000_000_000 } });
  });

  it("writes the usage that was charged, if it is another one", () => {
    const { translator } = streamOf(start("upstream-model") + stop + last);
    const finish = translator.finish({ prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 });
    expect(finish).toEqual(
      encodeUtf8(
        event({
          type: "message_delta",
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 2 },
        }) + event({ type: "message_stop" }),
      ),
    );
  });

  it("is complete with the stop reason, even if message_stop is missing, and not before", () => {
    const { translator: cut } = streamOf(start("upstream-model") + block + deltas.join(""));
    cut.end();
    expect(cut).toMatchObject({ started: true, complete: false, failure: { failure: "invalid_response" } });
    const { translator: whole } = streamOf(start("upstream-model") + stop);
    whole.end();
    expect(whole).toMatchObject({ started: true, complete: true, failure: undefined });
  });

  it("has started with content, and not with message_start, an empty block or a ping", () => {
    expect(streamOf(start("upstream-model") + ping + block).translator.started).toBe(false);
    const call = { type: "tool_use", id: "toolu_01", name: "go", input: {} };
    const { translator } = streamOf(event({ type: "content_block_start", index: 0, content_block: call }));
    expect(translator).toMatchObject({ started: true, outputBytes: 2 });
  });

  it("classifies an error event and does not forward it", () => {
    const error = event({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded by upstream-model" },
    });
    const { translator, text } = streamOf(start("upstream-model") + error);
    expect(text).toBe(start("public"));
    expect(translator.failure?.failure).toBe("overloaded");
  });

  it("ends an answer that failed with an error event", () => {
    const error = new GatewayError("upstream_failed", "The provider failed. Try again.");
    expect(decode(streamOf(start("upstream-model")).translator.fail(error))).toBe(
      event({
        type: "error",
        error: { type: "api_error", message: "The provider failed. Try again." },
        request_id: "req_1",
      }),
    );
  });
});
