import { type ChatMessage, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { toPrompt } from "./to-prompt.ts";

const userOf = (...content: object[]) => toPrompt([{ role: "user", content: content.map((part) => ({ ...part })) }]);
const call = (id: string, args: string, more = {}) => ({
  id,
  type: "function" as const,
  function: { name: `tool-${id}`, arguments: args },
  ...more,
});

describe("toPrompt", () => {
  it("maps system and developer messages to system, with each part on its own line", () => {
    const parts = [
      { type: "text" as const, text: "a" },
      { type: "text" as const, text: "b" },
    ];
    expect(
      toPrompt([
        { role: "system", content: "Be brief." },
        { role: "developer", content: parts },
      ]),
    ).toStrictEqual([
      { role: "system", content: "Be brief." },
      { role: "system", content: "a\nb" },
    ]);
  });

  it("maps the parts of a user message", () => {
    const [message] = userOf(
      { type: "text", text: "\ud800 $& __proto__" },
      { type: "image_url", image_url: { url: "data:image/PNG;base64,AAAA", detail: "low" } },
      { type: "image_url", image_url: { url: "data:image/webp;charset=x;base64,BBBB" } },
      { type: "image_url", image_url: { url: "https://pictures.test/a%20b.png?x=1", detail: null } },
      { type: "input_audio", input_audio: { data: "CCCC", format: "wav" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,DDDD", filename: "a.pdf" } },
    );
    expect(message).toStrictEqual({
      role: "user",
      content: [
        { type: "text", text: "\ud800 $& __proto__" },
        {
          type: "file",
          data: "AAAA",
          mediaType: "image/png",
          providerOptions: { openai: { imageDetail: "low" } },
        },
        { type: "file", data: "BBBB", mediaType: "image/webp" },
        { type: "file", data: new URL("https://pictures.test/a%20b.png?x=1"), mediaType: "image/*" },
        { type: "file", data: "CCCC", mediaType: "audio/wav" },
        { type: "file", data: "DDDD", mediaType: "application/pdf", filename: "a.pdf" },
      ],
    });
  });

  it.each([
    ["a local file", { type: "image_url", image_url: { url: "file:///etc/passwd" } }],
    ["an invalid URL", { type: "image_url", image_url: { url: "https://" } }],
    ["an image that is not in base64", { type: "image_url", image_url: { url: "data:image/svg+xml,<svg/>" } }],
    ["a text file as an image", { type: "image_url", image_url: { url: "data:text/plain;base64,AAAA" } }],
    ["an image without a media type", { type: "image_url", image_url: { url: "data:;base64,AAAA" } }],
    ["a data URL without data", { type: "image_url", image_url: { url: "data:image/png;base64" } }],
    ["audio without its format", { type: "input_audio", input_audio: { data: "AAAA" } }],
    ["a file by its id", { type: "file", file: { file_id: "file-1" } }],
    ["a part of an unknown type", { type: "video" }],
    ["a part without a type", {}],
  ])("rejects %s and names the part", (_name, part) => {
    expect(failureOf(() => userOf({ type: "text", text: "a" }, part))).toMatchObject({
      failure: "rejected",
      details: { param: "messages.0.content.1" },
    });
  });

  it("rejects an image part where only text is allowed", () => {
    const image = { type: "image_url" as const, image_url: { url: "https://pictures.test/a.png" } };
    const failure = failureOf(() => toPrompt([{ role: "system", content: [image] }]));
    expect(failure).toMatchObject({ failure: "rejected", details: { param: "messages.0.content" } });
  });

  it("maps the reasoning, the text and the tool calls of the assistant, in this order", () => {
    const messages: ChatMessage[] = [
      {
        role: "assistant",
        content: "Let me see.",
        reasoning_content: "Hm.",
        tool_calls: [call("1", '{"__proto__":1}'), call("2", ""), call("3", "{broken")],
      },
    ];
    expect(toPrompt(messages)).toStrictEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "Let me see." },
          { type: "tool-call", toolCallId: "1", toolName: "tool-1", input: JSON.parse('{"__proto__":1}') },
          { type: "tool-call", toolCallId: "2", toolName: "tool-2", input: {} },
          { type: "tool-call", toolCallId: "3", toolName: "tool-3", input: "{broken" },
        ],
      },
    ]);
  });

  it("passes a thought signature of Gemini back with its call", () => {
    const signed = call("1", "{}", { extra_content: { google: { thought_signature: "sig" } } });
    expect(toPrompt([{ role: "assistant", content: null, tool_calls: [signed] }])).toMatchObject([
      { content: [{ type: "tool-call", providerOptions: { google: { thoughtSignature: "sig" } } }] },
    ]);
  });

  it("merges consecutive tool results into one message, each with the name of its tool", () => {
    const prompt = toPrompt([
      { role: "assistant", content: null, tool_calls: [call("1", "{}"), call("2", "{}")] },
      { role: "tool", tool_call_id: "2", content: "two" },
      { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "one" }] },
      { role: "user", content: "And?" },
      { role: "tool", tool_call_id: "9", content: "nine" },
    ]);
    const result = (id: string, name: string, value: string) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: name,
      output: { type: "text", value },
    });
    expect(prompt.slice(1)).toStrictEqual([
      { role: "tool", content: [result("2", "tool-2", "two"), result("1", "tool-1", "one")] },
      { role: "user", content: [{ type: "text", text: "And?" }] },
      { role: "tool", content: [result("9", "unknown", "nine")] },
    ]);
  });

  it("names each result after the last call before it if ids are reused", () => {
    const called = (name: string) => ({ ...call("call_0", "{}"), function: { name, arguments: "{}" } });
    const prompt = toPrompt([
      { role: "assistant", content: null, tool_calls: [called("first")] },
      { role: "tool", tool_call_id: "call_0", content: "one" },
      { role: "assistant", content: null, tool_calls: [called("second")] },
      { role: "tool", tool_call_id: "call_0", content: "two" },
    ]);
    expect([prompt[1], prompt[3]]).toMatchObject([
      { content: [{ toolName: "first" }] },
      { content: [{ toolName: "second" }] },
    ]);
  });

  it("maps images in a tool result to content", () => {
    const image = (url: string) => ({ type: "image_url" as const, image_url: { url } });
    const content = [
      { type: "text" as const, text: "Here." },
      image("data:image/png;base64,AAAA"),
      image("https://pictures.test/a"),
    ];
    expect(toPrompt([{ role: "tool", tool_call_id: "1", content }])).toMatchObject([
      {
        content: [
          {
            output: {
              type: "content",
              value: [
                { type: "text", text: "Here." },
                { type: "image-data", data: "AAAA", mediaType: "image/png" },
                { type: "image-url", url: "https://pictures.test/a" },
              ],
            },
          },
        ],
      },
    ]);
  });
});

function failureOf(work: () => unknown): ProviderError {
  try {
    work();
  } catch (error) {
    if (ProviderError.is(error)) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}
