import { type ChatCompletionRequest, ProviderError } from "@tollgate/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ThinkingConfig } from "./gemini-request.ts";
import { toGeminiRequest, toThinkingConfig } from "./map-request.ts";

const settings = { includeThoughts: true, safetySettings: [] };
const hello: ChatCompletionRequest["messages"] = [{ role: "user", content: "Hello" }];

const mapped = (request: Partial<ChatCompletionRequest>) =>
  toGeminiRequest({ model: "gemini-3-flash-preview", messages: hello, ...request }, settings);

/** Returns the field for which a request is rejected. */
function rejectedField(request: Partial<ChatCompletionRequest>): string | undefined {
  try {
    mapped(request);
    return undefined;
  } catch (error) {
    if (!ProviderError.is(error) || error.failure !== "rejected") throw error;
    expect(error.details.clientMessage).toMatch(/\.$/);
    return error.details.param;
  }
}

const weather = {
  type: "function" as const,
  function: {
    name: "get_weather",
    description: "The weather of a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const listCities = {
  type: "function" as const,
  function: { name: "list_cities", parameters: { type: "object", properties: {}, additionalProperties: false } },
};

describe("toGeminiRequest", () => {
  it("maps a conversation with every supported field", () => {
    const request = mapped({
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
            { type: "image_url", image_url: { url: "https://example.com/a/photo.JPG?size=2", detail: "low" } },
          ],
        },
        { role: "assistant", content: "A map." },
        { role: "developer", content: [{ type: "text", text: "Use tools." }] },
        { role: "user", content: "And the weather there?", name: "anna" },
      ],
      tools: [weather, listCities],
      tool_choice: "auto",
      max_completion_tokens: 500,
      temperature: 0.5,
      n: 2,
      reasoning_effort: "medium",
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: { type: "object", properties: { a: { const: "x" } } } },
      },
      stop: "END",
      seed: 7,
      top_p: 0.9,
      top_k: 40,
      presence_penalty: 0.1,
      frequency_penalty: -0.2,
      user: "u-1",
      stream: true,
      stream_options: { include_usage: true },
      parallel_tool_calls: true,
    });
    expect(request).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }, { text: "Use tools." }] },
      contents: [
        {
          role: "user",
          parts: [
            { text: "What is this?" },
            { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
            { fileData: { mimeType: "image/jpeg", fileUri: "https://example.com/a/photo.JPG?size=2" } },
          ],
        },
        { role: "model", parts: [{ text: "A map." }] },
        { role: "user", parts: [{ text: "And the weather there?" }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: "get_weather",
              description: "The weather of a city.",
              parametersJsonSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
            },
            { name: "list_cities" },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      generationConfig: {
        candidateCount: 2,
        stopSequences: ["END"],
        maxOutputTokens: 500,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: -0.2,
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object", properties: { a: { enum: ["x"] } } },
        thinkingConfig: { thinkingLevel: "MEDIUM", includeThoughts: true },
      },
    });
  });

  it("treats null and empty tools as absent", () => {
    expect(mapped({ temperature: null, tools: [], stop: null, seed: null, logit_bias: null })).toEqual({
      contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    });
  });

  it("sends the host's safety settings, and requests no thoughts if includeThoughts is false", () => {
    const safetySettings = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }];
    const request = { model: "gemini-2.5-flash", messages: hello, reasoning_effort: "low" };
    expect(toGeminiRequest(request, { includeThoughts: false, safetySettings })).toMatchObject({
      safetySettings,
      generationConfig: { thinkingConfig: { thinkingBudget: 1_024 } },
    });
  });

  it("accepts max_tokens", () => {
    expect(mapped({ max_tokens: 9 }).generationConfig).toEqual({ maxOutputTokens: 9 });
  });

  it("maps json_object", () => {
    expect(mapped({ response_format: { type: "json_object" } }).generationConfig).toEqual({
      responseMimeType: "application/json",
    });
  });

  it.each<[string, ChatCompletionRequest["tool_choice"], object]>([
    ["none", "none", { mode: "NONE" }],
    ["required", "required", { mode: "ANY" }],
    [
      "one function",
      { type: "function", function: { name: "get_weather" } },
      { mode: "ANY", allowedFunctionNames: ["get_weather"] },
    ],
    [
      "at least one of the allowed tools",
      { type: "allowed_tools", allowed_tools: { mode: "required", tools: [listCities, weather] } },
      { mode: "ANY", allowedFunctionNames: ["list_cities", "get_weather"] },
    ],
    [
      "allowed tools in the mode auto",
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [weather] } },
      { mode: "VALIDATED", allowedFunctionNames: ["get_weather"] },
    ],
  ])("maps the tool choice %s", (_name, choice, config) => {
    const { toolConfig } = mapped({ tools: [weather, listCities], tool_choice: choice });
    expect(toolConfig).toEqual({ functionCallingConfig: config });
  });

  it.each<[string, Partial<ChatCompletionRequest>]>([
    ["logit_bias", { logit_bias: { "50256": -100 } }],
    ["logprobs", { logprobs: true }],
    ["parallel_tool_calls", { parallel_tool_calls: false }],
    ["modalities", { modalities: ["audio"] }],
    ["functions", { functions: [] }],
    ["__proto__", JSON.parse('{"__proto__":1}')],
    ["constructor", { constructor: 1 }],
    ["seed", { seed: 2 ** 31 }],
    ["seed", { seed: 0.5 }],
    ["top_p", { top_p: "0.5" }],
    ["stop", { stop: [1] }],
    ["reasoning_effort", { reasoning_effort: "xhigh" }],
    ["tool_choice", { tool_choice: "required" }],
    ["tool_choice", { tools: [weather], tool_choice: "get_weather" }],
    ["tool_choice", { tools: [weather], tool_choice: { type: "function" } }],
    ["messages", { messages: [{ role: "system", content: "Be brief." }] }],
    ["messages", { messages: [{ role: "user", content: "" }] }],
    ["messages.0.content.0", { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }] }],
    [
      "messages.0.content.0",
      { messages: [{ role: "system", content: [{ type: "image_url", image_url: { url: "https://a.b/c.png" } }] }] },
    ],
    ["messages.1.tool_call_id", { messages: [...hello, { role: "tool", tool_call_id: "none", content: "1" }] }],
    ["messages.1.tool_call_id", { messages: [...hello, { role: "tool", content: "1" }] }],
  ])("rejects %s", (param, request) => {
    expect(rejectedField(request)).toBe(param);
  });

  it("passes every text on unchanged", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.constantFrom("\ud83c", "$&", "__proto__", "\u0000\u001f", "data:", "{}"),
    );
    fc.assert(
      fc.property(text, text, text, (system, user, result) => {
        const call = { id: "a", type: "function" as const, function: { name: "f", arguments: "{}" } };
        const { contents, systemInstruction } = mapped({
          messages: [
            { role: "system", content: system },
            { role: "user", content: [{ type: "text", text: user }] },
            { role: "assistant", content: null, tool_calls: [call] },
            { role: "tool", tool_call_id: "a", content: `x${result}` },
          ],
        });
        expect(systemInstruction).toEqual({ parts: [{ text: system }] });
        expect(contents[0]).toEqual({ role: "user", parts: [{ text: user }] });
        expect(contents[2]).toEqual({
          role: "user",
          parts: [{ functionResponse: { id: "a", name: "f", response: { output: `x${result}` } } }],
        });
      }),
    );
  });
});

describe("toThinkingConfig", () => {
  it.each<[string, string, ThinkingConfig]>([
    ["gemini-2.5-flash", "minimal", { thinkingBudget: 1_024 }],
    ["gemini-2.5-flash", "low", { thinkingBudget: 1_024 }],
    ["gemini-2.5-pro", "medium", { thinkingBudget: 8_192 }],
    ["models/gemini-2.5-flash-lite", "high", { thinkingBudget: 24_576 }],
    ["gemini-2.5-flash", "none", { thinkingBudget: 0 }],
    ["gemini-3-flash-preview", "minimal", { thinkingLevel: "MINIMAL" }],
    ["gemini-3.1-pro-preview", "minimal", { thinkingLevel: "LOW" }],
    ["gemini-3-pro-preview", "low", { thinkingLevel: "LOW" }],
    ["gemini-flash-latest", "medium", { thinkingLevel: "MEDIUM" }],
    ["gemini-25-flash", "high", { thinkingLevel: "HIGH" }],
  ])("maps for %s the effort %s", (model, effort, config) => {
    expect(toThinkingConfig(effort, model, false)).toEqual(config);
  });

  it("requests thought summaries unless thinking is off", () => {
    expect(toThinkingConfig("high", "gemini-3-flash-preview", true)).toEqual({
      thinkingLevel: "HIGH",
      includeThoughts: true,
    });
    expect(toThinkingConfig("none", "gemini-2.5-flash", true)).toEqual({ thinkingBudget: 0 });
  });

  it.each([
    ["gemini-2.0-flash", "low"],
    ["gemini-1.5-pro", "none"],
    ["gemma-3-27b-it", "low"],
    ["gemini-2.5-pro", "none"],
    ["gemini-3-flash-preview", "none"],
    ["gemini-3-flash-preview", "xhigh"],
    ["gemini-2.5-flash", "HIGH"],
    ["gemini-2.5-flash", "toString"],
  ])("rejects for %s the effort %s", (model, effort) => {
    expect(() => toThinkingConfig(effort, model, true)).toThrow("reasoning_effort");
  });
});
