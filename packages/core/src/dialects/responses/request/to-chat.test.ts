import { describe, expect, it } from "vitest";
import { readResponsesRequest } from "./request-schema.ts";
import { chatView, toChatRequest } from "./to-chat.ts";

/** Translates a valid body. */
function translate(body: object) {
  const read = readResponsesRequest({ model: "m", ...body });
  if ("problem" in read) throw new Error(`${read.problem.param} ${read.problem.message}`);
  const view = chatView(read.request);
  return { ...view, sent: toChatRequest(read.request, view.messages) };
}

const weather = {
  type: "function",
  name: "get_weather",
  description: "Current weather",
  parameters: { type: "object", properties: { location: { type: "string" } } },
  strict: true,
};

describe("a chat completion for a request of the Responses API", () => {
  it("has the text of the input as a message of the user, after the instructions", () => {
    const { sent } = translate({ input: "Tell me a story.", instructions: "Be brief." });
    expect(sent).toEqual({
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Tell me a story." },
      ],
    });
  });

  it("has the parts of a message", () => {
    const content = [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url: "https://images.test/a.png", detail: "original" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA" },
      { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
    ];
    expect(translate({ input: [{ role: "user", content }] }).sent.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "https://images.test/a.png", detail: "high" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA" } },
          { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
        ],
      },
    ]);
  });

  it("has calls in the message of the assistant before them, each result after them, and no reasoning", () => {
    const input = [
      { role: "user", content: "Weather in Paris and Rome?" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "tg1-00000000-x" },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [{ type: "output_text", text: "Let me look.", annotations: [] }],
      },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "get_weather", arguments: '{"location":"Paris"}' },
      { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "apply_patch", input: "*** Begin" },
      { role: "user", content: "Hurry." },
      { type: "custom_tool_call_output", call_id: "call_2", output: "Done" },
      {
        type: "function_call_output",
        call_id: "call_1",
        output: [
          { type: "input_text", text: "Sun" },
          { type: "input_text", text: "20" },
        ],
      },
    ];
    expect(translate({ input }).sent.messages).toEqual([
      { role: "user", content: "Weather in Paris and Rome?" },
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"location":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "apply_patch", arguments: '{"input":"*** Begin"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_2", content: "Done" },
      { role: "tool", tool_call_id: "call_1", content: "Sun\n20" },
      { role: "user", content: "Hurry." },
    ]);
  });

  it("has functions, and custom tools as functions with one text", () => {
    const patch = {
      type: "custom",
      name: "apply_patch",
      description: "Edit",
      format: { type: "grammar", syntax: "lark", definition: "start: /x/" },
    };
    const { sent } = translate({
      input: "Hi",
      tools: [weather, { type: "web_search" }, patch],
      tool_choice: { type: "custom", name: "apply_patch" },
      parallel_tool_calls: false,
    });
    const { type: _, ...declared } = weather;
    expect(sent.tools).toEqual([
      { type: "function", function: declared },
      {
        type: "function",
        function: {
          name: "apply_patch",
          description: "Edit\n\nThe input must follow this grammar (lark):\nstart: /x/",
          parameters: {
            type: "object",
            properties: { input: { type: "string", description: "The input of the tool." } },
            required: ["input"],
            additionalProperties: false,
          },
        },
      },
    ]);
    expect(sent.tool_choice).toEqual({ type: "function", function: { name: "apply_patch" } });
    expect(sent["parallel_tool_calls"]).toBe(false);
  });

  it("has neither tools nor a choice when all tools are left out", () => {
    const tools = [{ type: "web_search" }, { type: "namespace", name: "n", description: "", tools: [weather] }];
    const { sent, chat, problem } = translate({ input: "Hi", tools, tool_choice: "auto", parallel_tool_calls: true });
    expect(sent).toEqual({ model: "m", messages: [{ role: "user", content: "Hi" }] });
    // The key, the plan and the model must allow tools all the same.
    expect(chat["tools"]).toEqual(tools);
    expect(problem).toBeUndefined();
  });

  it("has only the tools that `allowed_tools` lists", () => {
    const other = { ...weather, name: "other" };
    const choice = { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "other" }] };
    const { sent } = translate({ input: "Hi", tools: [weather, other], tool_choice: choice });
    expect(sent.tools?.map(({ function: { name } }) => name)).toEqual(["other"]);
    expect(sent.tool_choice).toBe("required");
  });

  it("has the settings under its own names, and none that nobody misses", () => {
    const schema = { type: "object", properties: {} };
    const { sent, chat } = translate({
      input: "Hi",
      stream: true,
      store: false,
      temperature: 0.2,
      top_p: 0.9,
      max_output_tokens: 100,
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "s", schema, strict: true, description: "d" }, verbosity: "low" },
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "k",
      metadata: { a: "b" },
      client_metadata: { installation: "i" },
      safety_identifier: "user-1",
      truncation: "disabled",
      service_tier: "auto",
      stream_options: { include_obfuscation: false },
    });
    expect(sent).toEqual({
      model: "m",
      stream: true,
      temperature: 0.2,
      top_p: 0.9,
      max_completion_tokens: 100,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "s", description: "d", schema, strict: true } },
      verbosity: "low",
      messages: [{ role: "user", content: "Hi" }],
    });
    expect(chat["safety_identifier"]).toBe("user-1");
  });

  it.each([
    [{ truncation: "auto" }, "truncation"],
    [{ top_logprobs: 2 }, "top_logprobs"],
    [{ include: ["message.output_text.logprobs"] }, "include"],
    [{ reasoning: { effort: "high", mode: "pro" } }, "reasoning.mode"],
    [{ some_new_member: { a: 1 } }, "some_new_member"],
    [{ input: [{ role: "user", content: [{ type: "input_video" }] }] }, "input.0.content.0.type"],
    [
      { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://files.test/a" }] }] },
      "input.0.content.0.file_url",
    ],
  ])("does not exist for %j", (body, param) => {
    const { problem } = translate({ input: "Hi", ...body });
    expect(problem).toMatchObject({ code: "unsupported_parameter", details: { param } });
  });

  it("names a member whose name is very long by the start of its name", () => {
    const { problem } = translate({ input: "Hi", ["x".repeat(100_000)]: { a: 1 } });
    expect(problem?.details.param).toBe("x".repeat(128));
    expect(problem?.message.length).toBeLessThan(300);
  });

  it.each([
    [{ type: "input_image", file_id: "file-1" }, "unsupported_parameter", "input.0.content.0.file_id"],
    [{ type: "input_file", file_id: "file-1" }, "unsupported_parameter", "input.0.content.0.file_id"],
    [{ type: "input_image" }, "invalid_request", "input.0.content.0.image_url"],
    [{ type: "input_file" }, "invalid_request", "input.0.content.0.file_data"],
  ])("and no other request exists for %j", (part, code, param) => {
    expect(() => translate({ input: [{ role: "user", content: [part] }] })).toThrow(
      expect.objectContaining({ code, details: { param } }),
    );
  });
});

it.each([
  [{}, "model", "is required"],
  [{ model: "m", input: 7 }, "input", "must be a string or an array of items"],
  [{ model: "m", input: [] }, "input", "must have at least one item"],
  [{ model: "m", input: ["x"] }, "input.0", "must be an object"],
  [
    { model: "m", input: [{ role: "robot", content: "x" }] },
    "input.0.role",
    'must be one of "user", "assistant", "system", "developer"',
  ],
  [{ model: "m", input: [{ type: "function_call", name: "f", arguments: "{}" }] }, "input.0.call_id", "is required"],
  [
    { model: "m", input: [{ role: "user", content: [{ type: "input_text" }] }] },
    "input.0.content.0.text",
    "is required",
  ],
  [{ model: "m", input: "x", max_output_tokens: 0 }, "max_output_tokens", "must be at least 1"],
  [{ model: "m", input: "x", tools: [{ type: "function" }] }, "tools.0.name", "is required"],
  [
    { model: "m", input: "x", text: { format: { type: "xml" } } },
    "text.format.type",
    'must be "text", "json_object" or "json_schema"',
  ],
])("refuses %j by the name of its member", (body, param, message) => {
  expect(readResponsesRequest(body)).toEqual({ problem: { param, message } });
});
