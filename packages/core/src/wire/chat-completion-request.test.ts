import { fc, it } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { readChatCompletionRequest } from "./chat-completion-request.ts";
import { isJsonObject } from "./json.ts";

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  fc.record({
    type: fc.constant("image_url"),
    image_url: fc.record({ url: fc.webUrl(), detail: optional(fc.string()) }),
  }),
  fc.record({ type: fc.constantFrom("input_audio", "file"), anything: fc.jsonValue() }),
);

const toolCall = fc.record({
  id: fc.string(),
  type: fc.constant("function"),
  function: fc.record({ name: fc.string(), arguments: fc.string() }),
});

const message = fc.record(
  {
    role: fc.constantFrom("system", "developer", "user", "assistant", "tool"),
    content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }), fc.constant(null)),
    name: optional(fc.string()),
    tool_call_id: optional(fc.string()),
    tool_calls: optional(fc.array(toolCall, { maxLength: 2 })),
  },
  { requiredKeys: ["role"] },
);

const tool = fc.record({
  type: fc.constant("function"),
  function: fc.record({ name: fc.string(), parameters: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }) }),
});

const request = fc.record(
  {
    model: fc.string(),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    stream: optional(fc.boolean()),
    stream_options: optional(fc.record({ include_usage: optional(fc.boolean()) })),
    temperature: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
    n: optional(fc.integer({ min: 1, max: 16 })),
    max_tokens: optional(fc.integer({ min: 1 })),
    max_completion_tokens: optional(fc.integer({ min: 1 })),
    tools: optional(fc.array(tool, { maxLength: 2 })),
    tool_choice: optional(fc.oneof(fc.string(), fc.constant({ type: "function", function: { name: "f" } }))),
    reasoning_effort: optional(fc.string()),
    response_format: optional(
      fc.oneof(
        fc.constant({ type: "json_object" }),
        fc.constant({ type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } }),
      ),
    ),
    seed: fc.integer(),
    vendor_extension: fc.jsonValue(),
  },
  { requiredKeys: ["model", "messages"] },
);

/** A wrong value for each listed member that a message or a request may have. */
const spoilt = fc.constantFrom<[path: string, wrong: unknown]>(
  ["model", 1],
  ["messages", {}],
  ["messages.0", "hello"],
  ["messages.0.role", "robot"],
  ["messages.0.content", 7],
  ["messages.0.tool_calls", {}],
  ["stream", "yes"],
  ["stream_options", []],
  ["temperature", "hot"],
  ["n", 0],
  ["n", 1.5],
  ["max_tokens", 0],
  ["max_completion_tokens", -1],
  ["tools", "all"],
  ["tool_choice", 3],
  ["reasoning_effort", 1],
  ["response_format", "json"],
);

describe("readChatCompletionRequest", () => {
  it.prop([request])("accepts every valid request, and keeps all of it", (value) => {
    expect(readChatCompletionRequest(value)).toEqual({ request: value });
  });

  it.prop([request, spoilt])("names the only invalid member", (value, [path, wrong]) => {
    const result = readChatCompletionRequest(withMember(structuredClone(value), path.split("."), wrong));
    expect(result).toMatchObject({ problem: { message: expect.stringMatching(/^must /) } });
    const param = "problem" in result ? result.problem.param : undefined;
    expect(param === path || param?.startsWith(`${path}.`)).toBe(true);
  });

  it.each([1, true, []])("reports for tool_choice %j that it may also be a string", (choice) => {
    const value = { model: "m", messages: [{ role: "user", content: "Hello" }], tool_choice: choice };
    expect(readChatCompletionRequest(value)).toEqual({
      problem: { param: "tool_choice", message: "must be a string or an object" },
    });
  });

  it.prop([fc.jsonValue()], { numRuns: runs(1_000) })(
    "never throws, and reports the problem in a short message",
    (value) => {
      const result = readChatCompletionRequest(value);
      if ("problem" in result) expect(result.problem.message).toMatch(/^(must|is) [^\n]{2,100}$/);
    },
  );

  it.prop([request])("is not misled by members with the names of prototypes", (value) => {
    const text = JSON.stringify(value).replace("{", '{"__proto__":{"stream":true},"constructor":1,"prototype":1,');
    const result = readChatCompletionRequest(JSON.parse(text));
    expect(result).toHaveProperty("request");
    expect(Reflect.get({}, "stream")).toBeUndefined();
  });
});

function withMember(value: unknown, [name, ...rest]: readonly string[], wrong: unknown): unknown {
  if (name === undefined) return wrong;
  if (Array.isArray(value))
    return value.map((each, at) => (String(at) === name ? withMember(each, rest, wrong) : each));
  return {
    ...(isJsonObject(value) ? value : {}),
    [name]: withMember(isJsonObject(value) ? value[name] : undefined, rest, wrong),
  };
}
