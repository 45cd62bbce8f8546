import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { ChunkReducer } from "./chunk-reducer.ts";

const usage = {
  inputTokens: { total: 2, noCache: 2, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
};
const finish: LanguageModelV3StreamPart = {
  type: "finish",
  finishReason: { unified: "tool-calls", raw: undefined },
  usage,
};

/** The chunks of a whole stream. */
function chunksOf(...parts: LanguageModelV3StreamPart[]) {
  const reducer = new ChunkReducer();
  return parts.map((part) => reducer.reduce(part)).filter((chunk) => chunk !== undefined);
}

/** The deltas of a whole stream. */
const deltasOf = (...parts: LanguageModelV3StreamPart[]) =>
  chunksOf(...parts).flatMap(({ choices }) => choices.map(({ delta }) => delta));

const begin = { type: "tool-input-start", id: "t-1", toolName: "find" } as const;
const add = (delta: string) => ({ type: "tool-input-delta", id: "t-1", delta }) as const;
const complete = (input: string) => ({ type: "tool-call", toolCallId: "t-1", toolName: "find", input }) as const;
const firstDelta = { index: 0, id: "t-1", type: "function", function: { name: "find", arguments: "" } };

describe("ChunkReducer", () => {
  it("maps text and reasoning deltas, and the finish with its usage", () => {
    const head = { id: "r-1", created: 5, model: "up-model", object: "chat.completion.chunk" };
    const chunk = (delta: object, reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const parts: LanguageModelV3StreamPart[] = [
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "r-1", timestamp: new Date(5_000), modelId: "up-model" },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm" },
      { type: "reasoning-end", id: "r" },
      { type: "text-start", id: "a" },
      { type: "text-delta", id: "a", delta: "" },
      { type: "text-delta", id: "a", delta: "Hello" },
      { type: "text-end", id: "a" },
      { type: "source", sourceType: "url", id: "s", url: "https://a.test" },
      { type: "raw", rawValue: {} },
      { type: "finish", finishReason: { unified: "stop", raw: "x" }, usage },
    ];
    expect(chunksOf(...parts)).toStrictEqual([
      chunk({ reasoning_content: "Hm" }),
      chunk({ content: "Hello" }),
      {
        ...chunk({}, "stop"),
        usage: {
          prompt_tokens: 2,
          completion_tokens: 3,
          total_tokens: 5,
          prompt_tokens_details: {},
          completion_tokens_details: {},
        },
      },
    ]);
  });

  it("emits a tool call only once if the model sends both its deltas and the complete call", () => {
    expect(deltasOf(begin, add('{"a"'), add(":1}"), complete('{"a":1}'), finish)).toStrictEqual([
      { tool_calls: [firstDelta] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
      {},
    ]);
  });

  it("emits what the deltas lacked when the complete call arrives", () => {
    const last = (...parts: LanguageModelV3StreamPart[]) => deltasOf(begin, ...parts).at(-1);
    expect(last(complete('{"a":1}'))).toStrictEqual({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] });
    expect(last(complete(""))).toStrictEqual({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] });
    expect(last(add('{"a": 1}'), complete('{"a":1}'))).toStrictEqual({
      tool_calls: [{ index: 0, function: { arguments: '{"a": 1}' } }],
    });
  });

  it("emits complete calls, each with its own index", () => {
    const other = { ...complete("{}"), toolCallId: "t-2", providerMetadata: { google: { thoughtSignature: "sig" } } };
    expect(deltasOf(complete('{"a":1}'), other, finish)).toStrictEqual([
      { tool_calls: [{ ...firstDelta, function: { name: "find", arguments: '{"a":1}' } }] },
      {
        tool_calls: [
          {
            ...firstDelta,
            index: 1,
            id: "t-2",
            function: { name: "find", arguments: "{}" },
            extra_content: { google: { thought_signature: "sig" } },
          },
        ],
      },
      {},
    ]);
  });

  it("leaves out tool calls that the upstream executes", () => {
    const chunks = chunksOf(
      { ...begin, providerExecuted: true },
      add("{}"),
      { ...complete("{}"), providerExecuted: true },
      { type: "tool-result", toolCallId: "t-1", toolName: "find", result: "x" },
      finish,
    );
    expect(chunks).toMatchObject([{ choices: [{ delta: {}, finish_reason: "stop" }] }]);
  });

  // Providers of AI SDK 6 end so if the upstream's stream ends early; those of 7 say "interrupted".
  it.each([
    ["other", undefined, undefined],
    ["interrupted", undefined, undefined],
    ["other", "pause_turn", "length"],
    ["other", "EOS", "stop"],
    ["stop", undefined, "stop"],
  ])("ends a stream that ends with %s (%s) with %s, or as a failure", (unified, raw, finish) => {
    const end = { type: "finish", finishReason: { unified, raw }, usage };
    const reduce = () => new ChunkReducer().reduce(end);
    if (finish === undefined) expect(reduce).toThrow(expect.objectContaining({ failure: "invalid_response" }));
    else expect(reduce()).toMatchObject({ choices: [{ finish_reason: finish }] });
  });

  it("throws the error of an error part", () => {
    const error = { message: "overloaded" };
    expect(() => chunksOf({ type: "error", error })).toThrow(expect.objectContaining(error));
  });

  test.prop([fc.array(fc.string({ unit: "binary" })), fc.nat(3)])(
    "emits deltas that concatenate to the model's arguments, however they are split and even if the last ones are missing",
    (pieces, missing) => {
      const input = `{${pieces.join("")}}`;
      const sent = ["{", ...pieces, "}"].slice(0, pieces.length + 2 - missing).map(add);
      const calls = deltasOf(begin, ...sent, complete(input)).flatMap((delta) => delta.tool_calls ?? []);
      expect(calls.map((call) => call.function?.arguments).join("")).toBe(input);
      expect(calls.every((call) => call.index === 0)).toBe(true);
    },
  );
});
