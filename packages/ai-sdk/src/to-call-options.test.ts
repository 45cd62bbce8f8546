import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { toCallOptions } from "./to-call-options.ts";

const hello = { role: "user" as const, content: "Hello" };
const requestOf = (members: Partial<ChatCompletionRequest>): ChatCompletionRequest => ({
  model: "up-model",
  messages: [hello],
  ...members,
});
const optionsOf = (members: Partial<ChatCompletionRequest>) => toCallOptions(requestOf(members));
const prompt = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];

/** Returns the error that a request is rejected with. */
function rejectionOf(members: Partial<ChatCompletionRequest>): ProviderError {
  try {
    optionsOf(members);
  } catch (error) {
    if (ProviderError.is(error)) return error;
    throw error;
  }
  throw new Error("The request was accepted.");
}

describe("toCallOptions", () => {
  it("returns only the prompt for a request with only messages", () => {
    expect(optionsOf({})).toStrictEqual({ prompt });
  });

  it("maps every setting that the SDK supports", () => {
    const request = {
      temperature: 0,
      top_p: 0.5,
      top_k: 40,
      seed: 7,
      presence_penalty: -1,
      frequency_penalty: 1,
      stop: ["a", "b"],
      max_completion_tokens: 30,
      n: 1,
      logit_bias: { 1: 2 },
    };
    expect(optionsOf(request)).toStrictEqual({
      prompt,
      temperature: 0,
      topP: 0.5,
      topK: 40,
      seed: 7,
      presencePenalty: -1,
      frequencyPenalty: 1,
      stopSequences: ["a", "b"],
      maxOutputTokens: 30,
    });
  });

  it("treats null as absent, and accepts a single stop string and max_tokens", () => {
    const request = { temperature: null, top_p: null, n: null, tools: null, tool_choice: null, response_format: null };
    expect(optionsOf({ ...request, stop: "x", max_tokens: 9 })).toStrictEqual({
      prompt,
      stopSequences: ["x"],
      maxOutputTokens: 9,
    });
  });

  it("maps functions to tools and leaves their schemas unchanged", () => {
    const parameters = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const options = optionsOf({
      tools: [
        { type: "function", function: { name: "find", description: "Finds.", parameters, strict: true } },
        { type: "function", function: { name: "stop", description: null, parameters: {} } },
      ],
      tool_choice: { type: "function", function: { name: "find" } },
    });
    expect(options).toStrictEqual({
      prompt,
      tools: [
        { type: "function", name: "find", description: "Finds.", inputSchema: parameters, strict: true },
        { type: "function", name: "stop", inputSchema: {} },
      ],
      toolChoice: { type: "tool", toolName: "find" },
    });
  });

  it.each(["auto", "none", "required"])("maps the tool choice %s", (choice) => {
    expect(optionsOf({ tool_choice: choice }).toolChoice).toStrictEqual({ type: choice });
  });

  it("maps both response formats", () => {
    const schema = { type: "object" };
    expect(optionsOf({ response_format: { type: "json_object" } }).responseFormat).toStrictEqual({ type: "json" });
    expect(
      optionsOf({
        response_format: {
          type: "json_schema",
          json_schema: { name: "who", schema, strict: true, description: "Who." },
        },
      }).responseFormat,
    ).toStrictEqual({ type: "json", name: "who", schema, description: "Who." });
  });

  it.each([
    ["n", { n: 2 }],
    ["stop", { stop: [1] }],
    ["seed", { seed: "7" }],
    ["tool_choice", { tool_choice: { type: "allowed_tools" } }],
    ["tool_choice", { tool_choice: "any" }],
  ])("rejects a value of %s that the SDK does not support", (param, members) => {
    expect(rejectionOf(members)).toMatchObject({ failure: "rejected", details: { param } });
  });
});
