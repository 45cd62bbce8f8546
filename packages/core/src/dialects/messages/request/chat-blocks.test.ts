import { describe, expect, it } from "vitest";
import { whyUntranslatable } from "./chat-blocks.ts";
import { type MessagesRequest, readMessagesRequest } from "./messages-schema.ts";

const read = (members: object): MessagesRequest => {
  const result = readMessagesRequest(
    { model: "m", max_tokens: 1, messages: [{ role: "user", content: "Hi" }], ...members },
    false,
  );
  if ("problem" in result) throw new Error(JSON.stringify(result.problem));
  return result.request;
};
const withBlock = (block: object) => read({ messages: [{ role: "user", content: [block] }] });
const base64 = { type: "base64", media_type: "application/pdf", data: "JVBE" };
const tool = { name: "get_weather", input_schema: { type: "object" } };
const bash = { name: "bash", type: "bash_20250124" };

describe("whyUntranslatable", () => {
  it.each([
    ["a text", { type: "text", text: "Hi" }],
    ["an image", { type: "image", source: { ...base64, media_type: "image/png" } }],
    ["a document", { type: "document", source: base64, citations: { enabled: false } }],
    ["a result with an image", { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "A" }] }],
    ["a thought", { type: "thinking", thinking: "Hm", signature: "EqQB" }],
    ["a redacted thought", { type: "redacted_thinking", data: "EmwK" }],
    ["a block of an unknown type", { type: "tool_result", tool_use_id: "t", content: [{ type: "hologram" }] }],
  ])("returns nothing for %s", (_title, block) => {
    expect(whyUntranslatable(withBlock(block))).toBeUndefined();
  });

  it.each([
    ["", { type: "container_upload", name: "a" }],
    [".source", { type: "document", source: { type: "file", file_id: "file_1" } }],
    [".source", { type: "image", source: { type: "file", file_id: "file_1" } }],
    [".citations", { type: "document", source: base64, citations: { enabled: true } }],
    [
      ".content.0.source",
      { type: "tool_result", tool_use_id: "t", content: [{ type: "image", source: { type: "file" } }] },
    ],
  ])("names the path that ends in %j", (end, block) => {
    const error = whyUntranslatable(withBlock(block));
    expect(error?.code).toBe("unsupported_parameter");
    expect(error?.details.param).toBe(`messages.0.content.0${end}`);
  });

  it("returns nothing for what a tool of Anthropic left, unless nothing else is there", () => {
    const left = { role: "assistant", content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }] };
    expect(whyUntranslatable(read({ messages: [{ role: "user", content: "Hi" }, left] }))).toBeUndefined();
    expect(whyUntranslatable(read({ messages: [left] }))?.details.param).toBe("messages.0.content.0");
  });

  it.each([
    [{ type: "any" }, [bash], "tool_choice"],
    [{ type: "tool", name: "bash" }, [bash, tool], "tool_choice"],
    [{ type: "tool", name: "get_weather" }, [bash, tool], undefined],
    [{ type: "any" }, [bash, tool], undefined],
    [{ type: "auto" }, [bash], undefined],
  ])("checks the choice %j", (choice, tools, param) => {
    expect(whyUntranslatable(read({ tools, tool_choice: choice }))?.details.param).toBe(param);
  });
});
