import { readFileSync } from "node:fs";
import { ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { toCompletion, toFinishReason, toUsage } from "./map-response.ts";

const answer = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/answers/${name}.json`, import.meta.url), "utf8"));

const signature = { google: { thought_signature: "CqgBAb4+9vvTestSignatureOfThoughts/With+Base64==" } };

describe("toCompletion", () => {
  it("maps a text with its signature, and counts thoughts as completion tokens", () => {
    expect(toCompletion(answer("text"))).toEqual({
      id: "Xa2LadqFEsrVjMcPz4Om2AM",
      model: "gemini-3-flash-preview",
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Bern is the capital of Switzerland.",
            extra_content: signature,
          },
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 49,
        total_tokens: 58,
        completion_tokens_details: { reasoning_tokens: 41 },
      },
    });
  });

  it("maps thoughts to reasoning_content", () => {
    expect(toCompletion(answer("thoughts"))?.choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Bern.",
          reasoning_content: "**Recalling**\n\nThe user asks for a capital.\n",
          extra_content: signature,
        },
        finish_reason: "stop",
      },
    ]);
  });

  it("maps parallel calls with the ids of the API, each with its own signature", () => {
    expect(toCompletion(answer("tool-calls"))?.choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: "One moment.",
          tool_calls: [
            {
              id: "function-call-6601",
              type: "function",
              function: { name: "get_weather", arguments: '{"city":"Zürich","days":2}' },
              extra_content: signature,
            },
            {
              id: "function-call-6602",
              type: "function",
              function: { name: "get_weather", arguments: '{"city":"Bern"}' },
            },
          ],
        },
        finish_reason: "tool_calls",
      },
    ]);
  });

  it("generates an id and empty arguments for a call that has neither", () => {
    expect(toCompletion(answer("tool-call-without-id"))?.choices[0]).toEqual({
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: expect.stringMatching(/^call_[0-9a-f]{32}$/),
            type: "function",
            function: { name: "list_cities", arguments: "{}" },
          },
        ],
      },
      finish_reason: "tool_calls",
    });
  });

  it("maps several candidates", () => {
    expect(toCompletion(answer("candidates"))?.choices).toEqual([
      { index: 0, message: { role: "assistant", content: "One." }, finish_reason: "stop" },
      { index: 1, message: { role: "assistant", content: "Two, and then" }, finish_reason: "length" },
    ]);
  });

  it("includes cached tokens and tool use tokens in the prompt tokens", () => {
    expect(toCompletion(answer("cached"))?.usage).toEqual({
      prompt_tokens: 2_144,
      completion_tokens: 12,
      total_tokens: 2_156,
      prompt_tokens_details: { cached_tokens: 1_536 },
      completion_tokens_details: { reasoning_tokens: 10 },
    });
  });

  it.each([
    ["safety", "", "content_filter"],
    ["recitation", "It was the best of", "content_filter"],
    ["blocked-prompt", "", "content_filter"],
    ["empty", "", "stop"],
  ])("maps the finish reason of %s", (name, content, finish) => {
    expect(toCompletion(answer(name))).toMatchObject({
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: finish }],
      usage: { prompt_tokens: 14 },
    });
  });

  it("returns undefined for a response without candidates or block reason", () => {
    expect(toCompletion(answer("no-candidates"))).toBeUndefined();
  });

  it("throws for a malformed call, without quoting the model", () => {
    expect.assertions(3);
    try {
      toCompletion(answer("malformed-call"));
    } catch (error) {
      expect(ProviderError.is(error) && error.failure).toBe("failed");
      expect(String(error)).toContain("MALFORMED_FUNCTION_CALL");
      expect(String(error)).not.toContain("default_api");
    }
  });
});

describe("toFinishReason", () => {
  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["LANGUAGE", "content_filter"],
    ["BLOCKLIST", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["SPII", "content_filter"],
    ["IMAGE_SAFETY", "content_filter"],
    ["IMAGE_PROHIBITED_CONTENT", "content_filter"],
    ["IMAGE_RECITATION", "content_filter"],
    ["A_REASON_OF_LATER", "stop"],
    ["A_LIMIT_OF_LATER", "length"],
    ["FINISH_REASON_UNSPECIFIED", undefined],
    ["", undefined],
    [undefined, undefined],
    [7, undefined],
  ])("maps %s to %s", (reason, expected) => {
    expect(toFinishReason(reason, false)).toBe(expected);
  });

  it("returns tool_calls after tool calls, unless the answer was truncated or filtered", () => {
    expect(toFinishReason("STOP", true)).toBe("tool_calls");
    expect(toFinishReason("MAX_TOKENS", true)).toBe("length");
    expect(toFinishReason("SAFETY", true)).toBe("content_filter");
  });

  it.each([
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MALFORMED_RESPONSE",
    "MISSING_THOUGHT_SIGNATURE",
    "NO_IMAGE",
    "IMAGE_OTHER",
    "OTHER",
    "AN_ERROR_OF_LATER",
  ])("throws if %s ended the answer, which must not look complete", (reason) => {
    expect(() => toFinishReason(reason, false)).toThrow(reason);
    expect(() => toFinishReason(reason, true)).toThrow(reason);
  });
});

describe("toUsage", () => {
  it("treats missing counts as 0", () => {
    expect(toUsage({ promptTokenCount: 5 })).toEqual({ prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 });
  });

  it("calculates the total itself, since the API's total can be wrong", () => {
    const metadata = { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 99 };
    expect(toUsage(metadata)).toMatchObject({ completion_tokens: 5, total_tokens: 10 });
  });

  it.each([
    undefined,
    null,
    7,
    [],
    {},
    { trafficType: "ON_DEMAND" },
    { promptTokenCount: "5" },
    { promptTokenCount: -1 },
    { promptTokenCount: 5, candidatesTokenCount: 0.5 },
    { promptTokenCount: 5, candidatesTokenCount: -2 },
    { promptTokenCount: 5, thoughtsTokenCount: "3" },
    { promptTokenCount: 5, toolUsePromptTokenCount: -3 },
  ])("returns undefined for %j", (metadata) => {
    expect(toUsage(metadata)).toBeUndefined();
  });

  it("leaves out an invalid count of cached tokens", () => {
    const metadata = { promptTokenCount: 5, cachedContentTokenCount: "4" };
    expect(toUsage(metadata)).toEqual({ prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 });
  });
});
