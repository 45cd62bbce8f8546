import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "../bytes.ts";
import type { ChatCompletionRequest } from "../chat-completion-request.ts";
import { parseLosslessJson } from "../lossless-json.ts";
import type { Changes } from "./request-text.ts";
import { TranslatedText } from "./translated-text.ts";

const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } } as const;
const mark = { type: "ephemeral" };
const request: ChatCompletionRequest = {
  model: "public",
  messages: [
    { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral", ttl: "1h" } }] },
    { role: "assistant", content: null, tool_calls: [call], cache_control: mark },
    { role: "tool", tool_call_id: "c", content: [{ type: "image_url", image_url: { url: "https://h.example/a" } }] },
  ],
  tools: [{ type: "function", function: { name: "f", parameters: {} }, cache_control: { type: "other" } }],
};
const none: Changes = { members: [], isRemoved: () => false };

const changed = (changes: Partial<Changes>, given = request) =>
  JSON.parse(decodeUtf8(new TranslatedText(given).changed({ ...none, ...changes })) ?? "");

describe("a translated request", () => {
  it("keeps cache marks and gives each message with calls its thoughts", () => {
    expect(changed({})).toEqual({
      ...request,
      messages: request.messages.map((message) =>
        message.role === "assistant" ? { ...message, reasoning_content: "" } : message,
      ),
    });
  });

  it.each([
    ["1h", 2],
    ["5m", 2],
    ["other", 2],
  ])("leaves out the marks of %s alone", (why, left) => {
    const text = JSON.stringify(changed({ isRemoved: (removal) => removal.why === why }));
    expect(text.match(/cache_control/g)).toHaveLength(left);
    expect(text.includes('"ttl":"1h"')).toBe(why !== "1h");
    expect(text.includes('"type":"other"')).toBe(why !== "other");
  });

  it("leaves out thoughts under all of their names", () => {
    const thoughtful = { role: "assistant", content: "a", reasoning_content: "b", reasoning_details: [] } as const;
    const { messages } = changed(
      { isRemoved: ({ why }) => why === "thoughts" },
      { ...request, messages: [thoughtful] },
    );
    expect(messages).toEqual([{ role: "assistant", content: "a" }]);
  });

  it("changes, adds and removes members", () => {
    const members = [
      { name: "model", value: "up", json: '"up"' },
      { name: "stream", value: true },
      { name: "tools", value: undefined },
    ];
    const { model, stream, tools } = changed({ members });
    expect([model, stream, tools]).toEqual(["up", true, undefined]);
  });

  it("moves media of results into the next message of the user", () => {
    const { messages } = changed({ movesMedia: true });
    expect(messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "c", content: "The result is in the next message." },
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://h.example/a" } }] },
    ]);
  });

  it("keeps the digits of its numbers as text, and has plain ones as a value", () => {
    const parameters = { minimum: parseLosslessJson("1.10") };
    const tools = [{ type: "function", function: { name: "f", parameters } }] as const;
    const text = new TranslatedText({ ...request, tools: [...tools] });
    expect(decodeUtf8(text.changed(none))).toContain('{"minimum":1.10}');
    expect(text.changedValue(none).tools?.[0]?.function.parameters).toEqual({ minimum: 1.1 });
  });
});
