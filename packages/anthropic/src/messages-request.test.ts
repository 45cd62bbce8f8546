import type { ChatCompletionRequest, JsonObject, Tool } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { type RequestDefaults, toMessagesRequest } from "./messages-request.ts";

const messages: ChatCompletionRequest["messages"] = [{ role: "user", content: "Hi" }];
const result = { role: "tool" as const, tool_call_id: "c", content: "x" };
const least = {
  model: "claude-sonnet-4-6",
  max_tokens: 4_096,
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
};
const wanted = (model: string) => ({ ...least, model });
const defaults: RequestDefaults = { maxTokens: 4_096, thinking: "adaptive" };

/** The request body for a request with these members, a model and one message. */
const bodyOf = (members: Partial<ChatCompletionRequest>, options: Partial<RequestDefaults> = {}): unknown =>
  JSON.parse(
    JSON.stringify(
      toMessagesRequest({ model: "claude-sonnet-4-6", messages, ...members }, { ...defaults, ...options }),
    ),
  );

const tool: Tool = {
  type: "function",
  function: { name: "f", description: "F.", parameters: { properties: { a: {} } } },
};
const sent = { name: "f", description: "F.", input_schema: { type: "object", properties: { a: {} } } };
const strict: Tool = {
  type: "function",
  function: { name: "g", strict: true, parameters: { type: "object", additionalProperties: false } },
  cache_control: { type: "ephemeral" },
};
const named = { type: "function", function: { name: "f" } };
const adaptive = { type: "adaptive", display: "summarized" };

describe("toMessagesRequest", () => {
  it.each<[string, Partial<ChatCompletionRequest>, object]>([
    ["only messages", {}, {}],
    ["max_tokens", { max_tokens: 7 }, { max_tokens: 7 }],
    ["max_completion_tokens", { max_completion_tokens: 8 }, { max_tokens: 8 }],
    ["temperature", { temperature: 0 }, { temperature: 0 }],
    ["top_p and top_k", { top_p: 1, top_k: 40 }, { top_p: 1, top_k: 40 }],
    ["a stop string", { stop: "END" }, { stop_sequences: ["END"] }],
    ["several stop strings", { stop: ["a", "b"] }, { stop_sequences: ["a", "b"] }],
    ["an empty stop list", { stop: [] }, {}],
    ["the user", { user: "u-1", metadata: { user_id: "m" } }, { metadata: { user_id: "u-1" } }],
    ["the user in metadata", { metadata: { user_id: "m", other: "x" } }, { metadata: { user_id: "m" } }],
    ["tools", { tools: [tool] }, { tools: [sent] }],
    [
      "a strict and cached tool",
      { tools: [strict] },
      {
        tools: [
          {
            name: "g",
            input_schema: { type: "object", additionalProperties: false },
            strict: true,
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ],
    ["no tools", { tools: [], tool_choice: "auto", parallel_tool_calls: false }, {}],
    ["tool_choice none", { tools: [tool], tool_choice: "none" }, { tools: [sent], tool_choice: { type: "none" } }],
    ["tool_choice auto", { tools: [tool], tool_choice: "auto" }, { tools: [sent], tool_choice: { type: "auto" } }],
    [
      "tool_choice required",
      { tools: [tool], tool_choice: "required" },
      { tools: [sent], tool_choice: { type: "any" } },
    ],
    [
      "a named tool",
      { tools: [tool], tool_choice: named },
      { tools: [sent], tool_choice: { type: "tool", name: "f" } },
    ],
    [
      "one call at a time",
      { tools: [tool], parallel_tool_calls: false },
      { tools: [sent], tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    ],
    [
      "one call at a time with tool_choice none",
      { tools: [tool], tool_choice: "none", parallel_tool_calls: false },
      { tools: [sent], tool_choice: { type: "none" } },
    ],
    ["reasoning", { reasoning_effort: "high" }, { thinking: adaptive, output_config: { effort: "high" } }],
    ["minimal reasoning", { reasoning_effort: "minimal" }, { thinking: adaptive, output_config: { effort: "low" } }],
    ["maximum reasoning", { reasoning_effort: "max" }, { thinking: adaptive, output_config: { effort: "max" } }],
    ["no reasoning", { reasoning_effort: "none" }, { thinking: { type: "disabled" } }],
    [
      "reasoning and a forced tool",
      { reasoning_effort: "low", tools: [tool], tool_choice: "required" },
      { output_config: { effort: "low" }, tools: [sent], tool_choice: { type: "any" } },
    ],
    [
      "default values of unsupported fields",
      {
        n: 1,
        logprobs: false,
        top_logprobs: 0,
        presence_penalty: 0,
        frequency_penalty: 0,
        logit_bias: {},
        modalities: ["text"],
        service_tier: "auto",
        verbosity: "medium",
        functions: [],
        audio: null,
      },
      {},
    ],
    ["hints", { seed: 1, prompt_cache_key: "k", stream: true, stream_options: { include_usage: true } }, {}],
  ])("maps %s", (_name, members, expected) => {
    expect(bodyOf(members)).toEqual({ ...least, ...expected });
  });

  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility
  it.each<[string, Partial<ChatCompletionRequest>, object]>([
    ["temperature", { temperature: 0 }, {}],
    ["top_k", { top_k: 5 }, {}],
    ["a low top_p", { top_p: 0.9 }, {}],
    ["no high top_p", { top_p: 0.95, temperature: 0.2 }, { top_p: 0.95 }],
    ["no temperature of 1", { temperature: 1, top_p: 0.2 }, { temperature: 1 }],
  ])("leaves out %s while the model thinks", (_name, members, sampling) => {
    const expected = { ...least, thinking: adaptive, output_config: { effort: "low" }, ...sampling };
    expect(bodyOf({ reasoning_effort: "low", ...members })).toEqual(expected);
  });

  it.each<[string, Partial<ChatCompletionRequest>, object]>([
    ["top_p next to temperature", { temperature: 0.2, top_p: 0.5 }, { temperature: 0.2 }],
    ["the default temperature next to top_p", { temperature: 1, top_p: 0.5 }, { top_p: 0.5 }],
    ["nothing if the model may not think", { temperature: 0, reasoning_effort: "none" }, { temperature: 0 }],
  ])("leaves out %s", (_name, members, sampling) => {
    const body = bodyOf(members);
    expect(body).toMatchObject(sampling);
    expect(Object.keys(body as object)).not.toContain(Object.keys(sampling)[0] === "top_p" ? "temperature" : "top_p");
  });

  // https://platform.claude.com/docs/en/models/fable-5-1/migration-guide, and the capabilities in @ai-sdk/anthropic
  const sampled = { temperature: 0, top_p: 0.5, top_k: 3, tools: [tool], tool_choice: "required" };
  const any = { type: "any" };
  const auto = { type: "auto" };
  it.each<[string, object, object]>([
    ["claude-3-7-sonnet-20250219", { temperature: 0, top_p: 0.5, top_k: 3, tool_choice: any }, { type: "disabled" }],
    ["claude-sonnet-4-20250514", { temperature: 0, top_p: 0.5, top_k: 3, tool_choice: any }, { type: "disabled" }],
    ["claude-haiku-4-5-20251001", { temperature: 0, top_k: 3, tool_choice: any }, { type: "disabled" }],
    ["us.anthropic.claude-opus-4-6-v1:0", { temperature: 0, top_k: 3, tool_choice: any }, { type: "disabled" }],
    ["claude-opus-4-7", { tool_choice: any }, { type: "disabled" }],
    ["claude-sonnet-5", { tool_choice: any }, { type: "disabled" }],
    ["claude-haiku-5-5", { tool_choice: any }, { type: "disabled" }],
    ["claude-sonnet-5-5", { tool_choice: auto }, { type: "between_tools" }],
    ["anthropic/claude-opus-5.5", { tool_choice: auto }, { effort: "low" }],
    ["claude-fable-5", { tool_choice: any }, { effort: "low" }],
    ["claude-fable-5-1", { tool_choice: auto }, { effort: "low" }],
    ["claude-mythos-preview", { tool_choice: any }, { effort: "low" }],
    ["kimi-k3", { temperature: 0, top_p: 0.5, top_k: 3, tool_choice: any }, { type: "disabled" }],
  ])("sends %s only what it accepts", (model, expected, least) => {
    expect(bodyOf({ model, ...sampled })).toEqual({ ...wanted(model), tools: [sent], ...expected });
    const thinking = "type" in least ? { thinking: least } : { output_config: least };
    expect(bodyOf({ model, reasoning_effort: "none" })).toEqual({ ...wanted(model), ...thinking });
  });

  it("asks models that refuse a budget to think adaptively", () => {
    const body = bodyOf({ model: "claude-opus-4-8", reasoning_effort: "high" }, { thinking: "budget" });
    expect(body).toMatchObject({ thinking: adaptive, output_config: { effort: "high" } });
  });

  it("keeps a tool strict where its schema allows it, for the first 20", () => {
    const strictTool = (parameters: JsonObject): Tool => ({
      type: "function",
      function: { name: "s", strict: true, parameters },
    });
    const bounded = { type: "object", properties: { n: { type: "integer", minimum: 1 } } };
    const map = { type: "object", additionalProperties: { type: "string" } };
    expect(bodyOf({ tools: [strictTool(bounded), strictTool(map)] })).toMatchObject({
      tools: [
        {
          strict: true,
          input_schema: {
            properties: { n: { type: "integer", description: "{minimum: 1}" } },
            additionalProperties: false,
          },
        },
        { name: "s", input_schema: map },
      ],
    });
    const { tools } = toMessagesRequest(
      { model: "m", messages, tools: Array.from({ length: 22 }, () => strictTool(bounded)) },
      defaults,
    );
    expect(tools?.map(({ strict: is, input_schema: schema }) => [is, schema["additionalProperties"]])).toEqual([
      ...Array.from({ length: 20 }, () => [true, false]),
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(tools?.[21]?.input_schema).toEqual(bounded);
  });

  // https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits
  it("counts optional members and unions over the response format and the strict tools, in this order", () => {
    const schemaOf = (optional: number, unions: number): JsonObject => ({
      type: "object",
      properties: Object.fromEntries([
        ...Array.from({ length: optional }, (_, at) => [`o${at}`, { type: "string" }]),
        ...Array.from({ length: unions }, (_, at) => [`u${at}`, { anyOf: [{ type: "string" }, { type: "null" }] }]),
      ]),
      required: Array.from({ length: unions }, (_, at) => `u${at}`),
    });
    const tools = [schemaOf(6, 2), schemaOf(15, 0), schemaOf(0, 15), schemaOf(14, 0), schemaOf(0, 10), schemaOf(1, 0)];
    const sentBody = toMessagesRequest(
      {
        model: "m",
        messages,
        response_format: { type: "json_schema", json_schema: { name: "s", schema: schemaOf(4, 4) } },
        tools: tools.map((parameters) => ({ type: "function", function: { name: "s", strict: true, parameters } })),
      },
      defaults,
    );
    expect(sentBody.output_config?.format).toBeDefined();
    expect(sentBody.tools?.map(({ strict: is }) => is)).toEqual([true, undefined, undefined, true, true, undefined]);
    expect(sentBody.tools?.[1]?.input_schema).toEqual(tools[1]);
  });

  it.each<[string, Partial<ChatCompletionRequest>, number | undefined]>([
    ["a share of the cap", { reasoning_effort: "medium", max_tokens: 10_000 }, 5_000],
    ["at least the minimum", { reasoning_effort: "minimal", max_tokens: 2_000 }, 1_024],
    ["less than the cap", { reasoning_effort: "max", max_tokens: 1_025 }, 1_024],
    ["none if a tool is forced", { reasoning_effort: "high", tools: [tool], tool_choice: named }, undefined],
    ["none after tool results", { reasoning_effort: "high", messages: [...messages, result] }, undefined],
    [
      "none after tool results that a system message follows",
      { reasoning_effort: "high", messages: [...messages, result, { role: "system", content: "Be brief." }] },
      undefined,
    ],
    [
      "none after tool results that a user message follows",
      { reasoning_effort: "high", messages: [...messages, result, { role: "user", content: "Well?" }] },
      undefined,
    ],
  ])("sets a thinking budget for older models: %s", (_name, members, budget) => {
    const expected = budget === undefined ? undefined : { type: "enabled", budget_tokens: budget };
    const body = bodyOf(members, { thinking: "budget" });
    expect(body).not.toHaveProperty("output_config");
    if (expected === undefined) expect(body).not.toHaveProperty("thinking");
    else expect(body).toHaveProperty("thinking", expected);
  });

  it.each<[string, Partial<ChatCompletionRequest>]>([
    ["n", { n: 2 }],
    ["logprobs", { logprobs: true }],
    ["top_logprobs", { top_logprobs: 3 }],
    ["logit_bias", { logit_bias: { "50256": -100 } }],
    ["presence_penalty", { presence_penalty: 0.5 }],
    ["frequency_penalty", { frequency_penalty: -1 }],
    ["audio", { audio: { voice: "alloy", format: "wav" } }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["functions", { functions: [{ name: "f" }] }],
    ["function_call", { function_call: { name: "f" } }],
    ["service_tier", { service_tier: "priority" }],
    ["thinking", { thinking: { type: "enabled", budget_tokens: 99_999 } }],
    ["mcp_servers", { mcp_servers: [{ type: "url" }] }],
    ["temperature", { temperature: 1.1 }],
    ["temperature", { temperature: -0.1 }],
    ["top_p", { top_p: 2 }],
    ["top_k", { top_k: 1.5 }],
    ["stop", { stop: [" \n"] }],
    ["stop", { stop: 7 }],
    ["tool_choice", { tools: [tool], tool_choice: "sometimes" }],
    ["tool_choice", { tools: [tool], tool_choice: { type: "allowed_tools" } }],
    ["reasoning_effort", { reasoning_effort: "extreme" }],
  ])("rejects an unsupported value of %s", (param, members) => {
    expect(() => bodyOf(members)).toThrow(
      expect.objectContaining({
        failure: "rejected",
        details: { param, clientMessage: expect.stringContaining(`\`${param}\``) },
      }),
    );
  });

  it("leaves thinking out under a cap that is too low for a budget, since the gateway may have lowered it", () => {
    expect(bodyOf({ reasoning_effort: "low", max_tokens: 1_024 }, { thinking: "budget" })).not.toHaveProperty(
      "thinking",
    );
  });
});
