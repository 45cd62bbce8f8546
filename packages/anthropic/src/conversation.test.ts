import type { ChatMessage } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { toConversation } from "./conversation.ts";
import type { TextBlock, Turn } from "./messages-api.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUg==";
const text = (value: string): TextBlock => ({ type: "text", text: value });
const call = (id: string, name: string, args: string) => ({
  id,
  type: "function" as const,
  function: { name, arguments: args },
});

interface Row {
  readonly name: string;
  readonly messages: readonly ChatMessage[];
  readonly system?: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

const hi: ChatMessage = { role: "user", content: "Hi" };
const hiTurn: Turn = { role: "user", content: [text("Hi")] };

const rows: readonly Row[] = [
  { name: "a text", messages: [hi], turns: [hiTurn] },
  {
    name: "system and developer messages at any position to `system`",
    messages: [
      { role: "system", content: "Be brief." },
      hi,
      { role: "developer", content: [{ type: "text", text: "Be kind." }] },
      { role: "system", content: "" },
    ],
    system: [text("Be brief."), text("Be kind.")],
    turns: [hiTurn],
  },
  {
    name: "consecutive messages of one role to one turn, without empty turns",
    messages: [hi, { role: "user", content: "there" }, { role: "assistant", content: "" }, hi],
    turns: [{ role: "user", content: [text("Hi"), text("there"), text("Hi")] }],
  },
  {
    name: "blank texts to nothing, in every role",
    messages: [
      { role: "system", content: "\n" },
      {
        role: "user",
        content: [
          { type: "text", text: " \t" },
          { type: "text", text: "Hi" },
        ],
      },
      { role: "assistant", content: "\n\n", tool_calls: [call("c", "f", "")] },
      { role: "tool", tool_call_id: "c", content: " " },
    ],
    turns: [
      hiTurn,
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [] }] },
    ],
  },
  {
    name: "images by URL and inline, and cache_control",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look", cache_control: { type: "ephemeral", ttl: "1h" } },
          { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
          { type: "image_url", image_url: { url: `data:image/JPG;charset=utf-8;base64,${pixel}` } },
        ],
      },
    ],
    turns: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look", cache_control: { type: "ephemeral", ttl: "1h" } },
          { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
          { type: "image", source: { type: "base64", media_type: "image/jpeg", data: pixel } },
        ],
      },
    ],
  },
  {
    name: "calls and their results, with the user message after them in the same turn",
    messages: [
      hi,
      {
        role: "assistant",
        content: "Wait.",
        reasoning_content: "thought",
        tool_calls: [call("functions.f:0", "f", '{"a":1}'), call("call_2", "g", "")],
      },
      { role: "tool", tool_call_id: "functions.f:0", content: "$& \ud800" },
      { role: "tool", tool_call_id: "call_2", content: [{ type: "text", text: "two" }] },
      { role: "user", content: "Go on" },
    ],
    turns: [
      hiTurn,
      {
        role: "assistant",
        content: [
          text("Wait."),
          { type: "tool_use", id: "functions_f_0", name: "f", input: { a: 1 } },
          { type: "tool_use", id: "call_2", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "functions_f_0", content: [text("$& \ud800")] },
          { type: "tool_result", tool_use_id: "call_2", content: [text("two")] },
          text("Go on"),
        ],
      },
    ],
  },
  {
    name: "calls with repeated ids, or ids that differ only in characters that the API rejects, to unique ids",
    messages: [
      hi,
      { role: "assistant", tool_calls: [call("call_0", "f", ""), call("call:0", "g", "")] },
      { role: "tool", tool_call_id: "call:0", content: "b" },
      { role: "tool", tool_call_id: "call_0", content: "a" },
      { role: "assistant", tool_calls: [call("call_0", "f", "")] },
      { role: "tool", tool_call_id: "call_0", content: "c" },
    ],
    turns: [
      hiTurn,
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_0", name: "f", input: {} },
          { type: "tool_use", id: "call_0_1", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_0_1", content: [text("b")] },
          { type: "tool_result", tool_use_id: "call_0", content: [text("a")] },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "call_0_2", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0_2", content: [text("c")] }] },
    ],
  },
  {
    name: "calls of one answer that share an id, here an empty one, and their results in order",
    messages: [
      hi,
      { role: "assistant", tool_calls: [call("", "f", ""), call("", "g", "")] },
      { role: "tool", tool_call_id: "", content: "a" },
      { role: "tool", tool_call_id: "", content: "b" },
    ],
    turns: [
      hiTurn,
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "_", name: "f", input: {} },
          { type: "tool_use", id: "__1", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "_", content: [text("a")] },
          { type: "tool_result", tool_use_id: "__1", content: [text("b")] },
        ],
      },
    ],
  },
  {
    name: "results before what stood between them and their calls, and a result of a call without one",
    messages: [
      { role: "assistant", tool_calls: [call("a", "f", ""), call("b", "f", "")] },
      hi,
      { role: "tool", tool_call_id: "b", content: "two" },
    ],
    turns: [
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "f", input: {} },
          { type: "tool_use", id: "b", name: "f", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "b", content: [text("two")] },
          { type: "tool_result", tool_use_id: "a", content: [text("The call has no result.")] },
          text("Hi"),
        ],
      },
    ],
  },
  {
    name: "a refusal to a text of the assistant",
    messages: [hi, { role: "assistant", content: [{ type: "refusal", refusal: "No." }] }],
    turns: [hiTurn, { role: "assistant", content: [text("No.")] }],
  },
];

describe("toConversation", () => {
  it.each(rows)("maps $name", ({ messages, system = [], turns }) => {
    expect(toConversation(messages)).toEqual({ system, turns });
  });

  it("accepts more parts than a function call can have arguments", () => {
    const content = Array.from({ length: 200_000 }, () => ({ type: "text" as const, text: "a" }));
    const { system, turns } = toConversation([{ role: "system", content }, hi, { role: "user", content }]);
    expect(system).toHaveLength(content.length);
    expect(turns[0]?.content).toHaveLength(content.length + 1);
  });

  it.each(["", "null", " null"])("maps the arguments %j to an empty object", (args) => {
    expect(toConversation([{ role: "assistant", tool_calls: [call("c", "f", args)] }]).turns).toEqual([
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
    ]);
  });

  it("keeps every member of a call's arguments, including __proto__", () => {
    const messages: ChatMessage[] = [{ role: "assistant", tool_calls: [call("c", "f", '{"__proto__":{"x":1}}')] }];
    expect(JSON.stringify(toConversation(messages).turns)).toContain('"input":{"__proto__":{"x":1}}');
  });

  it.each<[string, readonly ChatMessage[], string]>([
    ["only a system message", [{ role: "system", content: "x" }], "messages"],
    ["a blank user message", [{ role: "user", content: " \n" }], "messages"],
    ["audio", [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }], "messages.0.content.0"],
    [
      "an image of an unsupported type",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/svg+xml;base64,PA==" } }] }],
      "messages.0.content.0.image_url.url",
    ],
    [
      "a text file as an image",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:text/plain;base64,PA==" } }] }],
      "messages.0.content.0.image_url.url",
    ],
    [
      "an image in a system message",
      [hi, { role: "system", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] }],
      "messages.1.content.0",
    ],
    [
      "arguments that are not an object",
      [hi, { role: "assistant", tool_calls: [call("a", "f", "{}"), call("b", "f", "[1]")] }],
      "messages.1.tool_calls.1.function.arguments",
    ],
    ["a result without a call id", [hi, { role: "tool", content: "x" }], "messages.1.tool_call_id"],
  ])("rejects %s", (_name, messages, param) => {
    expect(() => toConversation(messages)).toThrow(
      expect.objectContaining({ failure: "rejected", details: expect.objectContaining({ param }) }),
    );
  });
});
