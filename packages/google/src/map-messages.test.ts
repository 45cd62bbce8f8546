import { type ChatMessage, ProviderError, type ToolCall } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { mapMessages } from "./map-messages.ts";

const user: ChatMessage = { role: "user", content: "Hello" };
const model = "gemini-3-flash-preview";

const call = (id: string, name: string, args = "{}", signature?: string): ToolCall => ({
  id,
  type: "function",
  function: { name, arguments: args },
  ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
});
const calling = (...calls: ToolCall[]): ChatMessage => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: string, content: ChatMessage["content"]): ChatMessage => ({
  role: "tool",
  tool_call_id: id,
  content,
});

const partsOf = (messages: readonly ChatMessage[], of = model) =>
  mapMessages([user, ...messages], of)
    .contents.slice(1)
    .map(({ parts }) => parts);

describe("mapMessages", () => {
  it("accepts more parts than a function call can have arguments", () => {
    const content = Array.from({ length: 200_000 }, () => ({ type: "text" as const, text: "a" }));
    const { systemInstruction } = mapMessages([{ role: "system", content }, user], model);
    expect(systemInstruction?.parts).toHaveLength(content.length);
  });

  it("maps 20,000 consecutive results in less than 3 seconds", () => {
    const results = Array.from({ length: 20_000 }, () => result("a", "1"));
    const before = process.cpuUsage();
    expect(partsOf([calling(call("a", "first")), ...results])[1]).toHaveLength(results.length);
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });

  it("maps the results of parallel calls to one turn, in the order of the calls", () => {
    const messages = [
      calling(call("b", "second"), call("a", "first"), call("c", "second")),
      result("c", "3"),
      { role: "system" as const, content: "Hurry." },
      result("a", "2"),
      result("b", "1"),
    ];
    const { contents } = mapMessages([user, ...messages], model);
    expect(contents[2]).toEqual({
      role: "user",
      parts: [
        { functionResponse: { id: "b", name: "second", response: { output: "1" } } },
        { functionResponse: { id: "a", name: "first", response: { output: "2" } } },
        { functionResponse: { id: "c", name: "second", response: { output: "3" } } },
      ],
    });
    expect(contents).toHaveLength(3);
  });

  it("uses the last call if a history reuses an id", () => {
    const messages = [calling(call("a", "first")), result("a", "1"), calling(call("a", "other")), result("a", "2")];
    expect(partsOf(messages)[3]).toEqual([{ functionResponse: { id: "a", name: "other", response: { output: "2" } } }]);
  });

  it.each([
    ["an object", '{"ok":true}', { ok: true }],
    ["an array", "[1]", { output: "[1]" }],
    ["a text", "fine", { output: "fine" }],
    ["invalid JSON", '{"ok":', { output: '{"ok":' }],
    ["an empty text", "", { output: "" }],
    [
      "JSON with a number that would lose digits",
      '{"id":12345678901234567890}',
      { output: '{"id":12345678901234567890}' },
    ],
  ])("maps %s as a result", (_name, content, response) => {
    expect(partsOf([calling(call("a", "f")), result("a", content)])[1]).toEqual([
      { functionResponse: { id: "a", name: "f", response } },
    ]);
  });

  it("joins the parts of a result", () => {
    const content = [
      { type: "text" as const, text: "one " },
      { type: "text" as const, text: "two" },
    ];
    expect(partsOf([calling(call("a", "f")), result("a", content)])[1]).toMatchObject([
      { functionResponse: { response: { output: "one two" } } },
    ]);
  });

  it("sends signatures back with the text and the call that they belong to", () => {
    const signed: ChatMessage = {
      role: "assistant",
      content: "Hi.",
      extra_content: { google: { thought_signature: "of-text" } },
      tool_calls: [call("a", "f", '{"x":1}', "of-call"), call("b", "g")],
    };
    expect(partsOf([signed])).toEqual([
      [
        { text: "Hi.", thoughtSignature: "of-text" },
        { functionCall: { id: "a", name: "f", args: { x: 1 } }, thoughtSignature: "of-call" },
        { functionCall: { id: "b", name: "g", args: {} } },
      ],
    ]);
  });

  it("adds the placeholder signature to unsigned calls only for newer models", () => {
    const messages = [calling(call("a", "f"), call("b", "g"))];
    const signatures = (of: string) =>
      partsOf(messages, of)[0]?.map((part) => ("functionCall" in part ? part.thoughtSignature : "none"));
    expect(signatures("gemini-3-pro-preview")).toEqual(["skip_thought_signature_validator", undefined]);
    expect(signatures("gemini-flash-latest")).toEqual(["skip_thought_signature_validator", undefined]);
    expect(signatures("gemini-2.5-flash")).toEqual([undefined, undefined]);
    expect(signatures("gemma-3-27b-it")).toEqual([undefined, undefined]);
  });

  // https://github.com/continuedev/continue/issues/11805
  it("maps consecutive messages of the assistant to one turn, and keeps what the user says after a result apart", () => {
    const messages: ChatMessage[] = [
      { role: "assistant", content: "I look." },
      calling(call("a", "f")),
      { role: "system", content: "Hurry." },
      { role: "user", content: "Well?" },
      result("a", "1"),
      { role: "assistant", content: "One." },
      { role: "assistant", content: "Done." },
    ];
    expect(mapMessages([user, ...messages], "gemini-2.5-flash").contents).toEqual([
      { role: "user", parts: [{ text: "Hello" }] },
      { role: "model", parts: [{ text: "I look." }, { functionCall: { id: "a", name: "f", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { id: "a", name: "f", response: { output: "1" } } }] },
      { role: "user", parts: [{ text: "Well?" }] },
      { role: "model", parts: [{ text: "One." }, { text: "Done." }] },
    ]);
  });

  it("maps files to inline data", () => {
    const file = (file_data: string, filename?: string) => ({ type: "file" as const, file: { file_data, filename } });
    const content = [
      file("data:application/pdf;base64,JVBE", "a.pdf"),
      file("JVBE", "a.PDF"),
      file("data:text/markdown;charset=utf-8;base64,SGk="),
      file("data:application/json;base64,e30=", "a.json"),
      file("data:image/png;base64,iVBO"),
    ];
    expect(partsOf([{ role: "user", content }])[0]).toEqual([
      { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
      { inlineData: { mimeType: "application/pdf", data: "JVBE" } },
      { inlineData: { mimeType: "text/plain", data: "SGk=" } },
      { inlineData: { mimeType: "text/plain", data: "e30=" } },
      { inlineData: { mimeType: "image/png", data: "iVBO" } },
    ]);
  });

  it.each([
    { file_data: "data:application/zip;base64,UEs=" },
    { file_data: "https://example.com/a.pdf", filename: "a.pdf" },
    { file_id: "file-1" },
  ])("rejects the file %j by name", (file) => {
    const map = () => mapMessages([{ role: "user", content: [{ type: "file", file }] }], model);
    expect(map).toThrow("messages.0.content.0.file.file_data");
  });

  it("leaves out messages without content", () => {
    expect(partsOf([{ role: "assistant", content: "" }, { role: "assistant" }, user])).toEqual([[{ text: "Hello" }]]);
  });

  it.each(["", " ", "null", "{}"])("maps the arguments %j to an empty object", (args) => {
    expect(partsOf([calling(call("a", "f", args))])[0]).toMatchObject([{ functionCall: { args: {} } }]);
  });

  it.each(["[]", "7", '{"a":', '"text"'])("rejects the arguments %s", (args) => {
    const map = () => mapMessages([user, calling(call("a", "f", args))], model);
    expect(map).toThrow(ProviderError);
    expect(map).toThrow("messages.1.tool_calls.0.function.arguments");
  });
});
