import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../wire/json.ts";
import { ResponseIds, toOutputItems } from "./answer/output-items.ts";
import { echoOf } from "./answer/response-object.ts";
import { StreamedOutput } from "./answer/streamed-output.ts";
import { readResponsesRequest } from "./request/request-schema.ts";
import { chatView, toChatRequest } from "./request/to-chat.ts";

const read = (body: object) => {
  const result = readResponsesRequest({ model: "m", ...body });
  if ("problem" in result) throw new Error(`${result.problem.param} ${result.problem.message}`);
  return result.request;
};
const translate = (body: object) => {
  const request = read(body);
  const view = chatView(request);
  return { ...view, sent: toChatRequest(request, view.messages) };
};
const calling = (id: string, name: string, args: unknown) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
const weather = { type: "function", name: "get_weather", parameters: { type: "object" } };
const tools = [
  { type: "apply_patch" },
  { type: "local_shell" },
  { type: "shell", environment: { type: "local" } },
  { type: "tool_search", execution: "client", description: "Finds.", parameters: { type: "object", properties: {} } },
];

// The items that the openai client has as ResponseInputItem, and what Codex and @ai-sdk/openai send.
describe("what a client's own tools left in its history", () => {
  const patch = { type: "update_file", path: "a.ts", diff: "@@\n-a\n+b" };
  const action = { commands: ["ls"], timeout_ms: 100, max_output_length: null };
  const exec = { type: "exec", command: ["ls", "-a"], env: {}, working_directory: "/tmp" };
  it.each<[string, JsonObject[], object[]]>([
    [
      "tool_search_call",
      [
        { type: "tool_search_call", call_id: "c", execution: "client", arguments: { query: "weather" } },
        { type: "tool_search_output", call_id: "c", execution: "client", tools: [weather] },
      ],
      [calling("c", "tool_search", { query: "weather" }), result("c", "Found: get_weather")],
    ],
    [
      "apply_patch_call",
      [
        { type: "apply_patch_call", id: "apc_1", call_id: "c", operation: patch, status: "completed" },
        { type: "apply_patch_call_output", call_id: "c", status: "failed", output: "No such file" },
      ],
      [calling("c", "apply_patch", { operation: patch }), result("c", "failed: No such file")],
    ],
    [
      "shell_call",
      [
        { type: "shell_call", id: "sh_1", call_id: "c", action, status: "completed" },
        {
          type: "shell_call_output",
          call_id: "c",
          output: [
            { stdout: "a.ts", stderr: "", outcome: { type: "exit", exit_code: 0 } },
            { stdout: "", stderr: "slow", outcome: { type: "timeout" } },
          ],
        },
      ],
      [
        calling("c", "shell", { commands: ["ls"], timeout_ms: 100 }),
        result("c", "a.ts\nExit code: 0\n\nslow\nThe time limit was reached."),
      ],
    ],
    [
      "local_shell_call, whose result names the call",
      [
        { type: "local_shell_call", id: "lsh_1", call_id: "c", action: exec, status: "completed" },
        { type: "local_shell_call_output", call_id: "c", output: "a.ts" },
      ],
      [calling("c", "local_shell", { command: ["ls", "-a"], working_directory: "/tmp" }), result("c", "a.ts")],
    ],
    [
      "local_shell_call, whose result names its item",
      [
        { type: "local_shell_call", id: "lsh_1", call_id: "c", action: exec, status: "completed" },
        { type: "local_shell_call_output", id: "lsh_1", output: "a.ts" },
      ],
      [calling("c", "local_shell", { command: ["ls", "-a"], working_directory: "/tmp" }), result("c", "a.ts")],
    ],
  ])("is a call and its result: %s", (_name, items, messages) => {
    const { sent, problem, leftOut } = translate({ input: [{ role: "user", content: "Go" }, ...items] });
    expect(sent.messages.slice(1)).toEqual(messages);
    expect([problem, leftOut]).toEqual([undefined, []]);
  });

  it.each([
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } },
    { type: "file_search_call", id: "fs_1", queries: [] },
    { type: "computer_call", id: "cu_1", call_id: "c", action: { type: "screenshot" } },
    { type: "computer_call_output", call_id: "c", output: { type: "computer_screenshot", image_url: "data:x" } },
    { type: "image_generation_call", id: "ig_1", result: "iVBO" },
    { type: "code_interpreter_call", id: "ci_1", code: "1", container_id: "cntr_1" },
    { type: "mcp_list_tools", id: "mcpl_1", server_label: "s", tools: [{ name: "x", input_schema: {} }] },
    { type: "mcp_call", id: "mcp_1", server_label: "s", name: "x", arguments: "{}" },
    { type: "mcp_approval_request", id: "mcpr_1", server_label: "s", name: "x", arguments: "{}" },
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
    { type: "program", id: "p", call_id: "c", code: "" },
    { type: "something_new" },
    { type: "function_call_output", call_id: "unknown", output: "x" },
    { type: "shell_call_output", call_id: "unknown", output: [] },
    { type: "tool_search_call", call_id: null, execution: "server", arguments: {} },
  ])("is left out by name: $type", (item) => {
    const { sent, problem, leftOut } = translate({ input: [{ role: "user", content: "Go" }, item] });
    expect(sent.messages).toEqual([{ role: "user", content: "Go" }]);
    expect([problem, leftOut]).toEqual([undefined, [item.type]]);
  });

  it("adds the functions of `additional_tools` and of a search to the tools, where the key, plan and model must allow them", () => {
    const namespace = { type: "namespace", name: "n", description: "", tools: [weather] };
    const input = [
      { role: "user", content: "Go" },
      {
        type: "additional_tools",
        role: "developer",
        tools: [weather, { type: "web_search" }, namespace, { type: "function" }],
      },
      { type: "tool_search_call", call_id: "c", arguments: {} },
      { type: "tool_search_output", call_id: "c", tools: [{ ...weather, name: "other" }] },
    ];
    const { sent, chat, leftOut } = translate({ input, tools: [{ ...weather, description: "Old" }] });
    expect(sent.tools?.map(({ function: called }) => called)).toEqual([
      { name: "get_weather", parameters: { type: "object" } },
      { name: "other", parameters: { type: "object" } },
    ]);
    expect(chat["tools"]).toHaveLength(5);
    expect(sent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(leftOut).toEqual([]);
  });
});

describe("tools that the client runs itself", () => {
  it("are functions, unless the client has one of that name", () => {
    const own = { type: "function", name: "shell", parameters: { type: "object" }, description: "Own." };
    const { sent } = translate({ input: "Go", tools: [...tools, own], tool_choice: { type: "apply_patch" } });
    expect(sent.tools?.map(({ function: { name, description } }) => [name, description?.slice(0, 6)])).toEqual([
      ["apply_patch", "Create"],
      ["local_shell", "Runs a"],
      ["shell", "Own."],
      ["tool_search", "Finds."],
    ]);
    expect(sent.tool_choice).toEqual({ type: "function", function: { name: "apply_patch" } });
    expect(echoOf(read({ input: "Go", tools: [...tools, own] }), false).otherTools.get("shell")).toBeUndefined();
  });

  it.each([
    [{ type: "shell" }],
    [{ type: "shell", environment: { type: "container_auto" } }],
    [{ type: "tool_search" }],
    [{ type: "tool_search", execution: "server" }],
  ])("do not include %j", (tool) => {
    expect(translate({ input: "Go", tools: [tool] }).sent.tools).toBeUndefined();
  });

  const { otherTools } = echoOf(read({ input: "Go", tools }), false);
  const cases: [string, string, JsonObject][] = [
    [
      "apply_patch",
      '{"operation":{"type":"create_file","path":"a","diff":"+a"}}',
      { type: "apply_patch_call", operation: { type: "create_file", path: "a", diff: "+a" } },
    ],
    [
      "apply_patch",
      '{"operation":{"type":"delete_file","path":"a"}}',
      { type: "apply_patch_call", operation: { type: "delete_file", path: "a" } },
    ],
    ["apply_patch", "nonsense", { type: "apply_patch_call", operation: { type: "update_file", path: "", diff: "" } }],
    [
      "local_shell",
      '{"command":["ls"],"timeout_ms":5,"working_directory":"/"}',
      {
        type: "local_shell_call",
        action: { type: "exec", command: ["ls"], env: {}, timeout_ms: 5, working_directory: "/" },
      },
    ],
    [
      "shell",
      '{"commands":["ls"],"max_output_length":9}',
      {
        type: "shell_call",
        action: { commands: ["ls"], timeout_ms: null, max_output_length: 9 },
        environment: { type: "local" },
      },
    ],
    ["tool_search", '{"query":"x"}', { type: "tool_search_call", execution: "client", arguments: { query: "x" } }],
  ];

  it.each(cases)("get the calls of %s with %s as the items that they expect", (name, args, item) => {
    const call = { id: "c", type: "function", function: { name, arguments: args } };
    const ids = new ResponseIds("1");
    expect(toOutputItems({ tool_calls: [call] }, ids, otherTools, "completed")).toMatchObject([
      { ...item, call_id: "c", status: "completed" },
    ]);
    const streamed = new StreamedOutput(ids, otherTools);
    const begun = streamed.add({
      tool_calls: [{ index: 0, ...call, function: { name, arguments: args.slice(0, 5) } }],
    });
    const more = streamed.add({ tool_calls: [{ index: 0, function: { arguments: args.slice(5) } }] });
    const ended = streamed.close("completed");
    expect([...begun, ...more, ...ended]).toMatchObject([
      { type: "response.output_item.added", item: { type: item["type"], call_id: "c", status: "in_progress" } },
      { type: "response.output_item.done", item: { ...item, call_id: "c", status: "completed" } },
    ]);
  });

  it.each(cases.filter(([, args]) => args !== "nonsense"))("hold over a round trip: %s with %s", (name, args) => {
    const call = { id: "c", type: "function", function: { name, arguments: args } };
    const items = toOutputItems({ tool_calls: [call] }, new ResponseIds("1"), otherTools, "completed");
    const { sent } = translate({ input: [{ role: "user", content: "Go" }, ...items], tools });
    expect(sent.messages[1]?.tool_calls).toEqual([call]);
  });
});
