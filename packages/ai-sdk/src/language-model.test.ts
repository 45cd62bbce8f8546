import { expect, it } from "vitest";
import { toV4 } from "./language-model.ts";
import { toCallOptions } from "./to-call-options.ts";

const pixel = "data:image/png;base64,AAAA";
const image = (url: string) => ({ type: "image_url" as const, image_url: { url } });
const pdf = {
  type: "file" as const,
  file: { file_data: "data:application/pdf;base64,BBBB", filename: "a.pdf" },
};
const called = { id: "c1", type: "function" as const, function: { name: "look", arguments: "{}" } };

// Follows the type LanguageModelV4Prompt of @ai-sdk/provider 4.
it("tags the data of files, in messages of the user and in results of tools", () => {
  const parts = [image(pixel), image("https://pictures.example/a.png"), pdf, { type: "text" as const, text: "Hi" }];
  const options = toCallOptions({
    model: "m",
    messages: [
      { role: "system", content: "Be kind." },
      { role: "user", content: parts },
      { role: "assistant", content: null, tool_calls: [called] },
      { role: "tool", tool_call_id: "c1", content: parts },
    ],
  });
  const png = { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" };
  const linked = {
    type: "file",
    data: { type: "url", url: new URL("https://pictures.example/a.png") },
    mediaType: "image/*",
  };
  const document = { type: "file", data: { type: "data", data: "BBBB" }, mediaType: "application/pdf" };
  const text = { type: "text", text: "Hi" };
  expect(toV4({ ...options, reasoning: "low" })).toEqual({
    reasoning: "low",
    prompt: [
      { role: "system", content: "Be kind." },
      { role: "user", content: [png, linked, { ...document, filename: "a.pdf" }, text] },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "look", input: {} }] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "look",
            output: { type: "content", value: [png, linked, document, text] },
          },
        ],
      },
    ],
  });
});
