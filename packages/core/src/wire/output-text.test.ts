import { describe, expect, it } from "vitest";
import { outputBytes, outputText } from "./output-text.ts";

describe("the output of a message", () => {
  it.each([
    ["texts", { content: "hello", reasoning_content: " é", refusal: null, role: "assistant" }, "hello é"],
    ["a list of parts", { content: [{ type: "text", text: "hel" }, { type: "text", text: "lo" }, "!"] }, "hello!"],
    [
      "what Mistral thought",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "hello" },
        ],
      },
      "hmhello",
    ],
    ["reasoning under two names", { reasoning: "hm", reasoning_content: "hm", content: "hello" }, "hellohm"],
    ["two different texts of reasoning", { reasoning: "short", reasoning_content: "long" }, "longshort"],
    ["thoughts in one text", { content: [{ type: "thinking", thinking: "hm" }] }, "hm"],
    ["calls", { tool_calls: [{ function: { name: "f", arguments: "{}" } }, { function: null }, null] }, "f{}"],
    ["the call of a legacy function", { content: null, function_call: { name: "f", arguments: "{}" } }, "f{}"],
    ["nothing", { content: [null, 5, {}, { type: "image_url" }], function_call: "f", tool_calls: {} }, ""],
  ])("is %s", (_what, message, text) => {
    expect(outputText(message)).toBe(text);
    expect(outputBytes(message)).toBe(new TextEncoder().encode(text).length);
  });
});
