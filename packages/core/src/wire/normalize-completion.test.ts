import { describe, expect, it } from "vitest";
import { normalizeCompletion } from "./normalize-completion.ts";

const identity = { model: "public/model", id: "chatcmpl-made", created: 1_700_000_000 };
const message = { role: "assistant", content: "hello" };

const normalize = (value: unknown) => normalizeCompletion(value, identity);

describe("normalizeCompletion", () => {
  it("adds missing members", () => {
    expect(normalize({ choices: [{ message: { content: "hello" } }, { message: { content: "hi" } }] })).toEqual({
      completion: {
        id: "chatcmpl-made",
        object: "chat.completion",
        created: 1_700_000_000,
        model: "public/model",
        system_fingerprint: null,
        choices: [
          { index: 0, message, finish_reason: "stop" },
          { index: 1, message: { role: "assistant", content: "hi" }, finish_reason: "stop" },
        ],
      },
      usage: undefined,
    });
  });

  it("keeps all members except the model and the object", () => {
    const given = {
      id: "chatcmpl-1",
      object: "text",
      created: 1_741_570_283,
      model: "gpt-4o",
      system_fingerprint: "fp_1",
      service_tier: "default",
      choices: [{ index: 3, message: { ...message, refusal: null }, logprobs: null, finish_reason: "length" }],
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    };
    expect(normalize(given)?.completion).toEqual({ ...given, object: "chat.completion", model: "public/model" });
  });

  it("ends a choice with tool calls with tool_calls, and adds their id and type", () => {
    const called = { name: "look_up", arguments: "{}" };
    const normalized = normalize({ choices: [{ message: { role: "assistant", tool_calls: [{ function: called }] } }] });
    expect(normalized?.completion.choices[0]?.finish_reason).toBe("tool_calls");
    expect(normalized?.completion.choices[0]?.message["tool_calls"]).toEqual([
      { id: expect.stringMatching(/^call_\w+$/), type: "function", function: called },
    ]);
  });

  it("ends a choice with a legacy function call with function_call", () => {
    const called = { ...message, content: null, function_call: { name: "look_up", arguments: "{}" } };
    expect(normalize({ choices: [{ message: called }] })?.completion.choices[0]?.finish_reason).toBe("function_call");
  });

  it.each([
    ["an object", { a: 1 }, '{"a":1}'],
    ["null", null, "{}"],
    ["missing", undefined, "{}"],
    ["a text", "{", "{"],
  ])("writes arguments that are %s as a text", (_, given, text) => {
    const call = { id: "call_1", type: "function", function: { name: "look_up", arguments: given } };
    const normalized = normalize({ choices: [{ message: { ...message, tool_calls: [call] } }] });
    expect(normalized?.completion.choices[0]?.message["tool_calls"]).toEqual([
      { ...call, function: { name: "look_up", arguments: text } },
    ]);
  });

  it("keeps a call that is not a function call unchanged", () => {
    const call = { id: "call_1", type: "custom", custom: { name: "run_sql", input: "SELECT 1" } };
    const normalized = normalize({ choices: [{ message: { content: null, tool_calls: [call] } }] });
    expect(normalized?.completion.choices[0]?.message["tool_calls"]).toEqual([call]);
  });

  it("sets the role to assistant, whatever role the upstream sent", () => {
    const normalized = normalize({ choices: [{ message: { role: "model", content: "hello" } }] });
    expect(normalized?.completion.choices[0]?.message).toEqual(message);
  });

  it.each([null, ""])("keeps the content %j", (content) => {
    expect(normalize({ choices: [{ message: { content } }] })?.completion.choices[0]?.message["content"]).toEqual(
      content,
    );
  });

  it("joins the text of a content in parts, and takes its thoughts as reasoning", () => {
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    const content = [thought, { type: "text", text: "hel" }, { type: "text", text: "lo" }];
    expect(normalize({ choices: [{ message: { content } }] })?.completion.choices[0]?.message).toEqual({
      ...message,
      reasoning_content: "Hm.",
    });
  });

  it.each(["", "null", " null\n", undefined, null])("gives a call with the arguments %j an empty object", (given) => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: given } };
    const normalized = normalize({ choices: [{ message: { content: null, tool_calls: [call] } }] });
    expect(normalized?.completion.choices[0]?.message["tool_calls"]).toEqual([
      { ...call, function: { name: "f", arguments: "{}" } },
    ]);
  });

  it.each([
    ["missing", undefined],
    ["negative", { prompt_tokens: -1, completion_tokens: 2 }],
    ["a fraction", { prompt_tokens: 1.5, completion_tokens: 2 }],
    ["no object", "12"],
  ])("ignores usage that is %s", (_, usage) => {
    const normalized = normalize({ choices: [{ message }], usage });
    expect(normalized?.usage).toBeUndefined();
    expect(normalized?.completion.usage).toBeUndefined();
  });

  it("returns valid usage separately and in the completion", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.5 };
    const normalized = normalize({ choices: [{ message }], usage: { ...usage, total_tokens: 99 } });
    expect(normalized?.usage).toEqual(usage);
    expect(normalized?.completion["usage"]).toEqual(usage);
  });

  it.each([
    ["null", null],
    ["text", "<html>"],
    ["a list", [{ choices: [] }]],
    ["an error", { error: { message: "no" } }],
    ["choices that are no list", { choices: { 0: { message } } }],
    ["no choice", { choices: [] }],
    ["a choice that is null", { choices: [null] }],
    ["a choice without a message", { choices: [{ text: "hello" }] }],
    ["content that is a number", { choices: [{ message: { content: 5 } }] }],
    ["content that is an object", { choices: [{ message: { content: { text: "hello" } } }] }],
    [
      "a tool call without a function",
      { choices: [{ message: { tool_calls: [{ id: "call_1", type: "function" }] } }] },
    ],
    ["a tool call of a function without a name", { choices: [{ message: { tool_calls: [{ function: {} }] } }] }],
    ["one bad choice among good ones", { choices: [{ message }, { message: "hello" }] }],
  ])("takes %s as no completion", (_, value) => {
    expect(normalize(value)).toBeUndefined();
  });

  it("ignores the effect of a member named __proto__", () => {
    const normalized = normalize(
      JSON.parse('{"__proto__":{"polluted":1},"choices":[{"__proto__":{"index":7},"message":{}}]}'),
    );
    expect(normalized?.completion.choices[0]?.index).toBe(0);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(normalized?.completion["polluted"]).toBeUndefined();
  });
});
