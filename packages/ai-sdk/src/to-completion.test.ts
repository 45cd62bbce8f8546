import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { toCompletion, toUsage } from "./to-completion.ts";

const usage = {
  inputTokens: { total: 10, noCache: 3, cacheRead: 5, cacheWrite: 2 },
  outputTokens: { total: 7, text: 3, reasoning: 4 },
};
const resultOf = (
  content: LanguageModelV3Content[],
  more: Partial<LanguageModelV3GenerateResult> = {},
): LanguageModelV3GenerateResult => ({
  content,
  finishReason: { unified: "stop", raw: "end_turn" },
  usage,
  warnings: [{ type: "unsupported", feature: "topK" }],
  ...more,
});
const text = (value: string) => ({ type: "text", text: value }) as const;
const call = { type: "tool-call", toolCallId: "t-1", toolName: "find", input: '{"a":1}' } as const;
const unknown = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

describe("toCompletion", () => {
  it("maps text, reasoning, usage and response metadata", () => {
    const content = [{ type: "reasoning", text: "Hm." } as const, text("Hel"), text("lo")];
    const response = { id: "r-1", timestamp: new Date(1_700_000_000_900), modelId: "up-model", body: "secret" };
    expect(toCompletion(resultOf(content, { response }))).toStrictEqual({
      id: "r-1",
      created: 1_700_000_000,
      model: "up-model",
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hello", reasoning_content: "Hm." },
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 7,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    });
  });

  it("maps tool calls, and leaves out parts that a completion cannot contain", () => {
    const content: LanguageModelV3Content[] = [
      { ...call, toolCallId: "web-1", providerExecuted: true },
      { type: "tool-result", toolCallId: "web-1", toolName: "find", result: "x" },
      { type: "source", sourceType: "url", id: "s", url: "https://a.test" },
      { type: "file", mediaType: "image/png", data: "AAAA" },
      call,
      { ...call, toolCallId: "t-2", input: "", providerMetadata: { vertex: { thoughtSignature: "sig" } } },
    ];
    const finishReason = { unified: "tool-calls", raw: undefined } as const;
    expect(toCompletion(resultOf(content, { finishReason })).choices).toStrictEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "t-1", type: "function", function: { name: "find", arguments: '{"a":1}' } },
            {
              id: "t-2",
              type: "function",
              function: { name: "find", arguments: "{}" },
              extra_content: { google: { thought_signature: "sig" } },
            },
          ],
        },
        finish_reason: "tool_calls",
      },
    ]);
  });

  it.each([
    ["stop", [text("a")], "stop"],
    ["length", [text("a")], "length"],
    ["content-filter", [], "content_filter"],
    ["tool-calls", [call], "tool_calls"],
    ["tool-calls", [{ ...call, providerExecuted: true }], "stop"],
    ["other", [text("a")], "stop"],
    ["other", [call], "tool_calls"],
  ] as const)("maps the finish reason %s of %j to %s", (unified, content, reason) => {
    const result = resultOf([...content], { finishReason: { unified, raw: undefined } });
    expect(toCompletion(result).choices).toMatchObject([{ finish_reason: reason }]);
  });

  it.each([
    ["model_length", "length"],
    ["sensitive", "content_filter"],
    ["eos", "stop"],
  ])("maps the upstream's own word %s to %s", (raw, reason) => {
    const result = resultOf([text("a")], { finishReason: { unified: "other", raw } });
    expect(toCompletion(result).choices).toMatchObject([{ finish_reason: reason }]);
  });

  it("throws for an answer that the upstream gave up", () => {
    const finishReason = { unified: "other", raw: "insufficient_system_resource" } as const;
    expect(() => toCompletion(resultOf([text("a")], { finishReason }))).toThrow("insufficient_system_resource");
  });

  it("throws for the finish reason error, and names the upstream's own reason", () => {
    const finishReason = { unified: "error", raw: "MALFORMED_FUNCTION_CALL" } as const;
    expect(() => toCompletion(resultOf([text("a")], { finishReason }))).toThrow(
      expect.objectContaining({ failure: "failed", message: expect.stringContaining("MALFORMED_FUNCTION_CALL") }),
    );
  });

  // Follows the type LanguageModelV4FinishReason of @ai-sdk/provider 4.0.38: "output may be incomplete".
  it("throws for the finish reason interrupted of AI SDK 7", () => {
    const result = { ...resultOf([text("a")]), finishReason: { unified: "interrupted", raw: undefined } };
    expect(() => toCompletion(result)).toThrow(expect.objectContaining({ failure: "invalid_response" }));
  });

  it("sums up usage without a total, and returns none without counts", () => {
    const outputTokens = { total: undefined, text: 3, reasoning: undefined };
    const added = { inputTokens: { ...unknown, noCache: 3, cacheRead: 5 }, outputTokens };
    expect(toCompletion(resultOf([], { usage: added })).usage).toMatchObject({
      prompt_tokens: 8,
      completion_tokens: 3,
    });
    const none = { inputTokens: unknown, outputTokens };
    expect(toCompletion(resultOf([], { usage: none }))).not.toHaveProperty("usage");
  });
});

const nothing = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

it("ignores negative counts when it sums up missing totals", () => {
  const usage = toUsage({
    inputTokens: { ...nothing, noCache: 500, cacheRead: -490 },
    outputTokens: { total: undefined, text: 20, reasoning: -15 },
  });
  expect(usage).toMatchObject({ prompt_tokens: 500, completion_tokens: 20 });
});

it("returns undefined if no count is usable", () => {
  const outputTokens = { total: 5, text: undefined, reasoning: undefined };
  expect(toUsage({ inputTokens: { ...nothing, noCache: -5 }, outputTokens })).toBeUndefined();
});
