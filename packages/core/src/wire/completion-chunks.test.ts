import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { decodeFrames } from "../upstream/frames.ts";
import { StreamTranslator } from "../upstream/stream-translator.ts";
import type { ChatCompletion, ChatCompletionChunk } from "./chat-completion.ts";
import { chunksToCompletion, completionToChunks } from "./completion-chunks.ts";
import { normalizeCompletion } from "./normalize-completion.ts";
import { isNoArguments } from "./tool-calls.ts";

const identity = { model: "public/model", id: "chatcmpl-made", created: 1_700_000_000 };

const toolCall = fc
  .tuple(fc.uuid(), fc.string({ minLength: 1 }), fc.string())
  .filter(([, , given]) => !isNoArguments(given))
  .map(([id, name, given]) => ({ id, type: "function", function: { name, arguments: given } }));
const message = fc.record(
  {
    role: fc.constant("assistant"),
    content: fc.option(fc.string({ unit: "grapheme" })),
    refusal: fc.constant(null),
    reasoning_content: fc.string(),
    tool_calls: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
    annotations: fc.array(fc.record({ type: fc.string() })),
    "x-unlisted": fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
  },
  { requiredKeys: ["role", "content"] },
);
const completion = fc.record(
  {
    id: fc.string({ minLength: 1 }),
    object: fc.constant("chat.completion"),
    created: fc.integer({ min: 1, max: 2_000_000_000 }),
    model: fc.constant("public/model"),
    choices: fc
      .array(
        fc.record(
          {
            message,
            logprobs: fc.constantFrom(null, { content: [{ token: "a", logprob: -1 }] }),
            finish_reason: fc.constantFrom("stop", "length", "tool_calls"),
          },
          { requiredKeys: ["message", "finish_reason"] },
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((choices) => choices.map((choice, index) => ({ index, ...choice }))),
    system_fingerprint: fc.constantFrom("fp_1", null),
    service_tier: fc.string(),
    usage: fc.constant({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }),
  },
  { requiredKeys: ["id", "object", "created", "model", "choices", "system_fingerprint"] },
);

describe("completionToChunks and chunksToCompletion", () => {
  test.prop([completion])("return the original completion", (value) => {
    const original: ChatCompletion = JSON.parse(JSON.stringify(value));
    const frames = completionToChunks(original);
    const usage = frames.find((frame) => frame.usage !== undefined)?.usage;
    expect({ ...chunksToCompletion(frames), ...(usage === undefined ? {} : { usage }) }).toEqual(original);
  });

  test.prop([completion])("return the original completion through a stream for a client", (value) => {
    const { usage, ...original }: ChatCompletion = JSON.parse(JSON.stringify(value));
    const translator = new StreamTranslator(identity);
    const outputs = completionToChunks({ ...original, usage }).map((chunk) => translator.translateChunk(chunk));
    const frames = outputs.flatMap((bytes) => (bytes === undefined ? [] : decodeFrames(bytes)));
    expect(chunksToCompletion(frames as unknown as ChatCompletionChunk[])).toEqual(original);
    expect(translator.complete).toBe(true);
    expect(translator.usage).toEqual(usage);
  });

  it("sends a message, its end and the usage", () => {
    const frames = completionToChunks({
      id: "1",
      object: "chat.completion",
      choices: [{ message: { content: "hello" } }],
      usage: { prompt_tokens: 1 },
    });
    expect(frames).toEqual([
      {
        id: "1",
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { role: "assistant", content: "hello" }, finish_reason: null }],
      },
      { id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      { id: "1", object: "chat.completion.chunk", choices: [], usage: { prompt_tokens: 1 } },
    ]);
  });

  // https://docs.mistral.ai/capabilities/reasoning
  it("merges thoughts that come as parts before a text", () => {
    const delta = (content: unknown) => ({ choices: [{ index: 0, delta: { content } }] }) as ChatCompletionChunk;
    const thought = (text: string) => [{ type: "thinking", thinking: [{ type: "text", text }] }];
    const chunks = [delta(""), delta(thought("H")), delta(thought("m.")), delta("One"), delta(" two")];
    expect(chunksToCompletion(chunks).choices[0]?.message).toEqual({ content: "One two", reasoning_content: "Hm." });
  });

  it("joins the text of a content in parts, and keeps its thoughts", () => {
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    const content = [thought, { type: "text", text: "one " }, { type: "image" }, { type: "text", text: "two" }];
    expect(completionToChunks({ choices: [{ message: { content } }] })[0]?.choices[0]?.delta).toMatchObject({
      content: "one two",
      reasoning_content: "Hm.",
    });
  });

  it("joins texts, reasoning, log probabilities and the pieces of tool calls", () => {
    const call = (index: number, given: string, more = {}) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index, ...more, function: { ...more, arguments: given } }] } }],
    });
    const chunks = [
      { id: "1", choices: [{ index: 1, delta: { role: "assistant", content: "other" } }] },
      { id: "1", choices: [{ index: 0, delta: { role: "assistant", reasoning_content: "hm" } }] },
      { choices: [{ index: 0, delta: { content: "a", reasoning_content: "m" }, logprobs: { content: [1] } }] },
      { choices: [{ index: 0, delta: { content: "b", role: "" }, logprobs: { content: [2] } }] },
      call(0, "", { id: "call_1", type: "function", name: "look_up" }),
      call(1, "{}", { id: "call_2", name: "wait" }),
      call(0, '{"a"'),
      call(0, ":1}"),
      { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
      { choices: [{ index: 1, delta: {}, finish_reason: "stop" }] },
    ] as ChatCompletionChunk[];
    const { choices, id, object } = chunksToCompletion(chunks);
    expect({ id, object }).toEqual({ id: "1", object: "chat.completion" });
    expect(choices).toMatchObject([
      {
        index: 0,
        logprobs: { content: [1, 2] },
        message: {
          role: "assistant",
          content: "ab",
          reasoning_content: "hmm",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "look_up", arguments: '{"a":1}' } },
            { id: "call_2", type: "function", function: { name: "wait", arguments: "{}" } },
          ],
        },
        finish_reason: "tool_calls",
      },
      { index: 1, message: { content: "other" }, finish_reason: "stop" },
    ]);
  });

  it("normalizes to a completion that can be streamed", () => {
    const normalized = normalizeCompletion({ choices: [{ message: { content: "x" } }] }, identity);
    expect(normalized && completionToChunks(normalized.completion)).toHaveLength(2);
  });
});
