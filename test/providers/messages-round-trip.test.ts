import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wholeChunks } from "../../packages/anthropic/src/answer-chunks.ts";
import { wholeEvents } from "../../packages/anthropic/src/answer-events.ts";
import { toMessagesRequest } from "../../packages/anthropic/src/messages-request.ts";
import { toMessage } from "../../packages/core/src/dialects/messages/answer/to-message.ts";
import { readMessagesRequest } from "../../packages/core/src/dialects/messages/request/messages-schema.ts";
import { toReasoningEffort } from "../../packages/core/src/dialects/messages/request/reasoning-effort.ts";
import { toChatRequest } from "../../packages/core/src/dialects/messages/request/to-chat.ts";
import { readChatCompletionRequest } from "../../packages/core/src/wire/chat-completion-request.ts";
import { chunksToCompletion } from "../../packages/core/src/wire/completion-chunks.ts";
import { parseLosslessJson, writeLosslessJson } from "../../packages/core/src/wire/lossless-json.ts";
import { normalizeCompletion } from "../../packages/core/src/wire/normalize-completion.ts";

// The Messages API refuses blank texts, and a JSON parser keeps no lone surrogates.
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((each) => each.trim() !== "");
const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const mark = fc.constantFrom({}, { cache_control: { type: "ephemeral" } });
const textPart = fc.tuple(text, mark).map(([content, more]) => ({ type: "text", text: content, ...more }));
const imagePart = fc
  .constantFrom("https://example.com/ant.png", "data:image/png;base64,iVBORw0KGgo=")
  .map((url) => ({ type: "image_url", image_url: { url } }));
// A single text without a mark is a string.
const parts = fc.tuple(textPart, fc.oneof(textPart, imagePart));
const content = fc.oneof(text, parts);
const json = fc.constantFrom("{}", '{"id":12345678901234567890}', '{"sum":19.90,"list":[1,null,"x"]}');

/** An answer of the assistant, the results of its calls, and what the user says next. */
const round = fc
  .record({ said: fc.option(text, { nil: null }), calls: fc.array(fc.tuple(name, json), { maxLength: 3 }), content })
  .filter(({ said, calls }) => said !== null || calls.length > 0)
  .map(({ said, calls, content: next }) => ({ said, calls, next }));

const tool = fc.record({ name, description: text, parameters: fc.constant({ type: "object", properties: {} }) });

const request = fc
  .record(
    {
      system: fc.option(text),
      first: content,
      rounds: fc.array(round, { maxLength: 3 }),
      max_tokens: fc.integer({ min: 1_025, max: 64_000 }),
      temperature: fc.constantFrom(0, 0.5, 1),
      top_p: fc.constantFrom(0.1, 1),
      top_k: fc.integer({ min: 1, max: 40 }),
      stop: fc.array(text, { minLength: 1, maxLength: 3 }),
      reasoning_effort: fc.constantFrom("low", "medium", "high"),
      tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 3, selector: (each) => each.name }),
      tool_choice: fc.constantFrom("auto", "none", "required"),
    },
    { requiredKeys: ["system", "first", "rounds", "max_tokens"] },
  )
  // A thinking model takes no other sampling.
  .map(({ top_k: topK, top_p: topP, temperature, ...others }) =>
    others.reasoning_effort === undefined
      ? {
          ...others,
          ...(topK && { top_k: topK }),
          ...(topP && { top_p: topP }),
          ...(temperature !== undefined && { temperature }),
        }
      : { ...others, ...(temperature === 1 && { temperature }), ...(topP === 1 && { top_p: topP }) },
  )
  .map(({ system, first, rounds, tools, tool_choice, ...settings }) => ({
    model: "m",
    messages: [
      ...(system === null ? [] : [{ role: "system", content: system }]),
      { role: "user", content: first },
      ...rounds.flatMap(({ said, calls, next }, index) => toTurn(said, calls, next, index)),
    ],
    ...settings,
    ...(tools === undefined ? {} : { tools: tools.map((each) => ({ type: "function", function: each })) }),
    ...(tools === undefined || tool_choice === undefined ? {} : { tool_choice }),
  }));

function toTurn(said: string | null, calls: readonly (readonly [string, string])[], next: unknown, turn: number) {
  const ids = calls.map((_, index) => `call_${turn}_${index}`);
  const toolCalls = calls.map(([called, args], index) => ({
    id: ids[index],
    type: "function",
    function: { name: called, arguments: args },
  }));
  return [
    { role: "assistant", content: said, ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) },
    ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: `Result of ${id}` })),
    { role: "user", content: next },
  ];
}

/** A chat completion that was mapped to a Messages request by the provider, sent, and mapped back by the gateway. */
function thereAndBack(chat: unknown, thinking: "adaptive" | "budget") {
  const read = readChatCompletionRequest(chat);
  if ("problem" in read) throw new Error(JSON.stringify(read.problem));
  const sent = writeLosslessJson(toMessagesRequest(read.request, { maxTokens: 4_096, thinking }));
  const received = readMessagesRequest(parseLosslessJson(sent), false);
  if ("problem" in received) throw new Error(JSON.stringify(received.problem));
  const levels = { effortLevels: ["none", "minimal", "low", "medium", "high"], defaultEffort: "low" };
  return toChatRequest(received.request, toReasoningEffort(received.request, levels));
}

describe("a chat completion that becomes a Messages request and a chat completion again", () => {
  it("stays the same in what both can express", () => {
    fc.assert(
      fc.property(request, (chat) => {
        expect(thereAndBack(chat, "adaptive")).toEqual(chat);
      }),
      { numRuns: 300 },
    );
  });

  it.each(["low", "medium", "high"])("keeps the effort %s as a share of the output", (effort) => {
    const messages = [{ role: "user", content: "Hi" }];
    const chat = { model: "m", messages, max_tokens: 32_000, reasoning_effort: effort };
    expect(thereAndBack(chat, "budget")).toEqual(chat);
  });
});

const call = fc.record({
  type: fc.constant("tool_use"),
  id: name.map((id) => `toolu_${id}`),
  name,
  input: json.map(parseLosslessJson),
});
const answer = fc
  .record({
    thinking: fc.option(text),
    said: fc.option(text),
    calls: fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id }),
    cached: fc.nat(100),
  })
  .map(({ thinking, said, calls, cached }) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      ...(thinking === null ? [] : [{ type: "thinking", thinking, signature: "" }]),
      ...(said === null ? [] : [{ type: "text", text: said }]),
      ...calls,
    ],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 4,
      cache_read_input_tokens: cached,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 1 },
      output_tokens: 5,
    },
  }));

it("an answer of the Messages API that becomes a chat completion and a message again stays the same", () => {
  fc.assert(
    fc.property(answer, (message) => {
      const chunks = wholeChunks(wholeEvents(writeLosslessJson(message), () => ({})));
      const normalized = normalizeCompletion(chunksToCompletion(chunks), { model: "m", id: "msg_1", created: 1 });
      if (normalized?.usage === undefined) throw new Error("The completion has no usage.");
      const back = toMessage(normalized.completion, { id: "msg_1", sequences: [] }, normalized.usage);
      expect(writeLosslessJson(back)).toBe(writeLosslessJson(message));
    }),
    { numRuns: 300 },
  );
});
