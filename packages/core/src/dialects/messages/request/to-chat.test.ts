import { describe, expect, it } from "vitest";
import { parseLosslessJson } from "../../../wire/lossless-json.ts";
import { leftOutBlocks } from "./chat-blocks.ts";
import { type MessagesRequest, readMessagesRequest } from "./messages-schema.ts";
import { toChatMessages } from "./to-chat.ts";

const read = (members: object | string): MessagesRequest => {
  const given = typeof members === "string" ? parseLosslessJson(members) : members;
  const result = readMessagesRequest({ model: "m", max_tokens: 100, messages: [], ...Object(given) }, false);
  if ("problem" in result) throw new Error(JSON.stringify(result.problem));
  return result.request;
};
const calling = (...ids: string[]) => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "f", input: {} })),
});
const mapped = (...messages: object[]) => toChatMessages(read({ messages }));

describe("toChatMessages", () => {
  it("maps texts, and keeps a single block as a string", () => {
    const messages = mapped(
      { role: "user", content: "Hello, world" },
      { role: "assistant", content: [{ type: "text", text: "Hi." }] },
      {
        role: "user",
        content: [
          { type: "text", text: "One" },
          { type: "text", text: "Two" },
        ],
      },
    );
    expect(messages).toEqual([
      { role: "user", content: "Hello, world" },
      { role: "assistant", content: "Hi." },
      {
        role: "user",
        content: [
          { type: "text", text: "One" },
          { type: "text", text: "Two" },
        ],
      },
    ]);
  });

  it.each([{}, { input: null }])("maps a call with the input %j to one without arguments", (input) => {
    const call = { type: "tool_use", id: "toolu_1", name: "f", ...input };
    expect(mapped({ role: "assistant", content: [call] })[0]?.tool_calls).toEqual([
      { id: "toolu_1", type: "function", function: { name: "f", arguments: "{}" } },
    ]);
  });

  it("maps the system prompt and keeps its cache marks", () => {
    const mark = { type: "ephemeral" };
    const system = [{ type: "text", text: "You analyze documents.", cache_control: mark }];
    expect(toChatMessages(read({ system, messages: [{ role: "user", content: "Go" }] }))[0]).toEqual({
      role: "system",
      content: [{ type: "text", text: "You analyze documents.", cache_control: mark }],
    });
  });

  // https://github.com/1rgs/claude-code-proxy/issues/99
  it("leaves out the billing line of Claude Code, which changes with each request", () => {
    const line = "x-anthropic-billing-header: cc_version=2.1.15.782; cc_entrypoint=cli; cch=0a1b2;";
    const prompt = { type: "text", text: "You are Claude Code." };
    const systemOf = (system: unknown) => toChatMessages(read({ system, messages: [{ role: "user", content: "Go" }] }));
    expect(systemOf([{ type: "text", text: line }, prompt])[0]).toEqual({ role: "system", content: prompt.text });
    expect(systemOf(`${line}\n\n${prompt.text}`)[0]).toEqual({ role: "system", content: prompt.text });
    expect(systemOf([{ type: "text", text: `${line}\n${prompt.text}` }])[0]?.content).toBe(prompt.text);
    expect(systemOf([{ type: "text", text: line }])).toEqual([{ role: "user", content: "Go" }]);
    expect(systemOf([prompt, { type: "text", text: line }])[0]?.content).toHaveLength(2);
  });

  it("maps images and documents", () => {
    const [message] = mapped({
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/4AAQSkZJRg==" } },
        { type: "image", source: { type: "url", url: "https://example.com/ant.jpg" } },
        { type: "document", title: "report", source: { type: "base64", media_type: "application/pdf", data: "JVBE" } },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "Plain." } },
        { type: "text", text: "What is this?" },
      ],
    });
    expect(message?.content).toEqual([
      { type: "image_url", image_url: { url: "data:image/jpeg;base64,/9j/4AAQSkZJRg==" } },
      { type: "image_url", image_url: { url: "https://example.com/ant.jpg" } },
      { type: "file", file: { filename: "report", file_data: "data:application/pdf;base64,JVBE" } },
      { type: "text", text: "Plain." },
      { type: "text", text: "What is this?" },
    ]);
  });

  it("maps calls and puts their results before the text of the same turn", () => {
    const messages = mapped(
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Both.", signature: "EqQB" },
          { type: "text", text: "I'll check." },
          { type: "tool_use", id: "toolu_01", name: "get_weather", input: { location: "San Francisco, CA" } },
          { type: "tool_use", id: "toolu_02", name: "get_time", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_01", content: "15 degrees" },
          { type: "text", text: "And then?" },
          {
            type: "tool_result",
            tool_use_id: "toolu_02",
            is_error: true,
            content: [{ type: "text", text: "timeout" }],
          },
        ],
      },
    );
    expect(messages).toEqual([
      {
        role: "assistant",
        content: "I'll check.",
        reasoning_content: "Both.",
        tool_calls: [
          {
            id: "toolu_01",
            type: "function",
            function: { name: "get_weather", arguments: '{"location":"San Francisco, CA"}' },
          },
          { id: "toolu_02", type: "function", function: { name: "get_time", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "toolu_01", content: "15 degrees" },
      { role: "tool", tool_call_id: "toolu_02", content: "Error: timeout" },
      { role: "user", content: "And then?" },
    ]);
  });

  it("keeps the images of a result, for targets that accept them there", () => {
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const results = [
      { type: "tool_result", tool_use_id: "a", content: [{ type: "image", source }] },
      {
        type: "tool_result",
        tool_use_id: "b",
        content: [
          { type: "image", source },
          { type: "text", text: "A cat." },
        ],
      },
      { type: "tool_result", tool_use_id: "c", is_error: true, content: [{ type: "image", source }] },
    ];
    expect(mapped(calling("a", "b", "c"), { role: "user", content: results }).slice(1)).toEqual([
      { role: "tool", tool_call_id: "a", content: [image] },
      { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "A cat." }, image] },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "Error: " }, image] },
    ]);
  });

  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool and .../build-with-claude/search-results
  it("maps references to tools and search results to texts", () => {
    const found = {
      type: "search_result",
      title: "Weather",
      source: "https://example.com",
      content: [{ type: "text", text: "Sun." }],
    };
    const content = [{ type: "tool_reference", tool_name: "get_weather" }, found];
    expect(
      mapped(calling("a"), { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content }] })[1],
    ).toEqual({
      role: "tool",
      tool_call_id: "a",
      content: [
        { type: "text", text: "get_weather" },
        { type: "text", text: "Weather\nhttps://example.com\nSun." },
      ],
    });
  });

  it("leaves out what tools of Anthropic left, and results without calls, and says so", () => {
    const messages = [
      { role: "user", content: "Go" },
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "web_search", input: {} },
          { type: "web_search_tool_result", tool_use_id: "s", content: [] },
          { type: "text", text: "Found." },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "unknown", content: "1" }, { type: "hologram" }] },
      calling("a"),
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "browser_state" }] }] },
    ];
    const { messages: read_ } = read({ messages });
    expect(toChatMessages({ messages: read_ })).toEqual([
      { role: "user", content: "Go" },
      { role: "assistant", content: "Found." },
      mapped(calling("a"))[0],
      { role: "tool", tool_call_id: "a", content: "" },
    ]);
    expect(leftOutBlocks(read_)).toEqual([
      "server_tool_use",
      "web_search_tool_result",
      "tool_result",
      "hologram",
      "browser_state",
    ]);
  });

  it("puts a system message between a call and its result after the result", () => {
    const result = { type: "tool_result", tool_use_id: "a", content: "18 degrees" };
    const messages = mapped(
      calling("a"),
      { role: "system", content: "Be brief." },
      { role: "user", content: [result, { type: "text", text: "Well?" }] },
    );
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "system", "user"]);
  });

  it("keeps the digits of the input of a call", () => {
    const request = read(
      '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"toolu_01","name":"pay","input":{"id":12345678901234567890,"sum":19.90}}]}]}',
    );
    expect(toChatMessages(request)[0]?.tool_calls?.[0]?.function.arguments).toBe(
      '{"id":12345678901234567890,"sum":19.90}',
    );
  });
});
