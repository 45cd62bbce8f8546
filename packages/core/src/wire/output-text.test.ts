import { describe, expect, it } from "vitest";
import { outputBytes, outputText, readOutput } from "./output-text.ts";

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
    // https://openrouter.ai/docs/use-cases/reasoning-tokens: the details repeat the text, and hold what it lacks.
    [
      "reasoning and its details",
      { reasoning: "hm", reasoning_details: [{ type: "reasoning.text", text: "hm", format: "x", id: "r1" }] },
      "hm",
    ],
    ["details in pieces", { reasoning: "so so", reasoning_details: [{ text: "so " }, { text: "so" }] }, "so so"],
    [
      "details alone",
      { content: "", reasoning_details: [{ type: "reasoning.summary", summary: "hm" }, { data: "Zm9v" }] },
      "hmZm9v",
    ],
    ["speech", { audio: { id: "a", data: "UklGRg==", transcript: "hi", expires_at: 1 } }, "UklGRg==hi"],
    ["the input of a block", { type: "tool_use", id: "t", name: "pay", input: { to: "Ann" } }, 'pay{"to":"Ann"}'],
    ["the empty input of a block", { type: "tool_use", id: "t", name: "pay", input: {} }, "pay"],
    ["arguments that are an object", { tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] }, 'f{"a":1}'],
    [
      "an item",
      {
        type: "message",
        role: "assistant",
        status: "done",
        content: [
          { type: "output_text", text: "a", annotations: [{ url: "u" }] },
          { type: "refusal", refusal: "b" },
        ],
      },
      "ab",
    ],
    ["a member that no table knows", { parts: [{ whatever: { deep: "x" } }] }, "x"],
    ["nothing", { content: [null, 5, {}, { type: "image_url" }], function_call: "f", tool_calls: {} }, ""],
  ])("is %s", (_what, message, text) => {
    expect(outputText(message)).toBe(text);
    expect(outputBytes(message)).toBe(new TextEncoder().encode(text).length);
  });
});

describe("an image in the output", () => {
  const url = "https://cdn.test/1.png";
  it.each([
    ["OpenRouter's", { images: [{ type: "image_url", image_url: { url } }] }],
    ["a part", { content: [{ type: "image_url", image_url: { url } }] }],
    [
      "a partial one of the Responses API",
      { type: "response.image_generation_call.partial_image", partial_image_b64: "AAAA" },
    ],
    [
      "an item of the Responses API",
      { type: "image_generation_call", id: "ig_1", status: "completed", result: "AAAA" },
    ],
    ["a block", { type: "image", source: { type: "url", url } }],
  ])("counts as an image of the model: %s", (_whose, message) => {
    expect(outputBytes(message, 500)).toBe(4 * 500);
    expect(outputBytes(message)).toBe(4 * 1_290);
  });

  it("counts as its bytes, if those are more", () => {
    const data = `data:image/png;base64,${"A".repeat(9_000)}`;
    expect(outputBytes({ content: "ab", images: [{ image_url: { url: data } }] }, 500)).toBe(2 + data.length);
  });
});

describe("reasoning that an output hides", () => {
  it.each([
    { type: "redacted_thinking", data: "Zm9v" },
    { reasoning_details: [{ type: "reasoning.encrypted", data: "Zm9v" }] },
    { type: "reasoning", summary: [], encrypted_content: "Zm9v" },
  ])("is noticed, and counts by its bytes: %j", (message) => {
    expect(readOutput(message)).toMatchObject({ hasHiddenReasoning: true, texts: ["Zm9v"] });
  });

  it.each([
    { content: "hi" },
    { type: "web_search_result", encrypted_content: "Zm9v" },
    { type: "reasoning", content: [] },
  ])("is not there in %j", (message) => expect(readOutput(message).hasHiddenReasoning).toBe(false));
});

it("reads output that is nested too deeply without exhausting the stack", () => {
  const deep = JSON.parse(`{"content":"a","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
  expect(outputBytes(deep)).toBe(1);
});
