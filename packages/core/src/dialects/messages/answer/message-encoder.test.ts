import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../errors/gateway-error.ts";
import { decodeFrames } from "../../../upstream/frames.ts";
import { joinBytes } from "../../../wire/bytes.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { mergeEvents } from "../messages-api.ts";
import { MessageEncoder } from "./message-encoder.ts";

const usage = { prompt_tokens: 472, completion_tokens: 89, total_tokens: 561 };
const identity = { id: "msg_1", requestId: "req_1", model: "claude", inputTokens: 470, sequences: ["END"] };

/** Encodes chunks with these deltas, the last of which has the finish reason. */
function encode(deltas: readonly JsonObject[], last: JsonObject = { finish_reason: "stop" }) {
  const encoder = new MessageEncoder(identity);
  const frames = deltas.flatMap(
    (delta) => encoder.encode({ choices: [{ index: 0, delta, finish_reason: null }] }) ?? [],
  );
  const end = encoder.encode({ choices: [{ index: 0, delta: {}, ...last }] });
  const bytes = joinBytes([...frames, ...(end === undefined ? [] : [end]), encoder.finish(usage)]);
  return { text: new TextDecoder().decode(bytes), events: decodeFrames(bytes) };
}

const call = (index: number, json: string, head: object = {}) => ({
  tool_calls: [{ index, ...head, function: { arguments: json, ...("id" in head ? { name: `tool_${index}` } : {}) } }],
});

describe("MessageEncoder", () => {
  it("writes the events of a text in Anthropic's order and form", () => {
    const { text } = encode([{ role: "assistant", content: "" }, { content: "Hello" }, { content: "!" }]);
    const usageAtStart = {
      input_tokens: 470,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 0,
    };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageAtStart,
    };
    const data = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "!" } },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { ...usageAtStart, input_tokens: 472, output_tokens: 89 },
      },
      { type: "message_stop" },
    ];
    expect(text).toBe(data.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });

  it("writes thinking, text and a call as one block after another", () => {
    const { events } = encode(
      [
        { reasoning_content: "Hm", reasoning: "Hm" },
        { content: [{ type: "thinking", thinking: [{ type: "text", text: "m." }] }] },
        { content: "Let me look." },
        call(0, "", { id: "call_1" }),
        call(0, '{"a":'),
        call(0, "1}"),
      ],
      { finish_reason: "tool_calls" },
    );
    expect(mergeEvents(events)).toMatchObject({
      content: [
        { type: "thinking", thinking: "Hmm.", signature: "" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_1", name: "tool_0", input: { a: 1 } },
      ],
      stop_reason: "tool_use",
    });
    expectSequence(events, 3);
  });

  it("makes the blocks of calls sequential whose pieces interleave", () => {
    const { events } = encode(
      [
        call(0, '{"x":', { id: "call_a" }),
        call(1, '{"y":', { id: "call_b" }),
        { content: "Wait." },
        call(0, "0"),
        call(1, "1}"),
        call(0, "}"),
      ],
      { finish_reason: "stop" },
    );
    expect(mergeEvents(events)).toMatchObject({
      content: [
        { type: "tool_use", id: "call_a", input: { x: 0 } },
        { type: "tool_use", id: "call_b", input: { y: 1 } },
        { type: "text", text: "Wait." },
      ],
      stop_reason: "tool_use",
    });
    expectSequence(events, 3);
  });

  it("starts a call when its name is known, and closes one without arguments at the end", () => {
    const late = [
      { tool_calls: [{ index: 0, id: "call_1", function: {} }] },
      { tool_calls: [{ index: 0, function: { name: "go" } }] },
    ];
    const { events } = encode(late, { finish_reason: "tool_calls" });
    expect(mergeEvents(events)).toMatchObject({ content: [{ type: "tool_use", id: "call_1", name: "go", input: {} }] });
    expectSequence(events, 1);
  });

  it.each([
    [{ finish_reason: "length" }, "max_tokens", null],
    [{ finish_reason: "content_filter" }, "refusal", null],
    [{ finish_reason: "stop", stop_reason: "END" }, "stop_sequence", "END"],
    [{ finish_reason: "stop", stop_reason: 42 }, "end_turn", null],
  ])("maps the end %j", (last, reason, sequence) => {
    const { events } = encode([{ content: "A" }], last);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: reason, stop_sequence: sequence } });
  });

  it("ends a stream that failed with an error event and without message_stop", () => {
    const error = new GatewayError("upstream_overloaded", "The provider is overloaded. Try again.");
    const text = new TextDecoder().decode(new MessageEncoder(identity).fail(error));
    expect(text).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"The provider is overloaded. Try again."},"request_id":"req_1"}\n\n',
    );
  });
});

/** Asserts that blocks start and stop one after another, with ascending indexes. */
function expectSequence(events: readonly JsonObject[], count: number): void {
  const blocks = events.filter(({ type }) => type === "content_block_start" || type === "content_block_stop");
  const expected = Array.from({ length: count }, (_, index) => [
    { type: "content_block_start", index },
    { type: "content_block_stop", index },
  ]);
  expect(blocks).toMatchObject(expected.flat());
}
