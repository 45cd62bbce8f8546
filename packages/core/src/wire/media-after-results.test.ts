import { expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "./bytes.ts";
import { withMediaAfterResults } from "./media-after-results.ts";

const image = (url: string) => ({ type: "image_url", image_url: { url } });
const text = (given: string) => ({ type: "text", text: given });
const result = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content });
const moved = "The result is in the next message.";
const change = (json: string): string => decodeUtf8(withMediaAfterResults(encodeUtf8(json))) ?? "";
const messagesOf = (messages: readonly object[]): unknown =>
  JSON.parse(change(JSON.stringify({ model: "m", messages })));

it.each<[string, object[], object[]]>([
  ["an image alone", [result("a", [image("1")])], [result("a", moved), { role: "user", content: [image("1")] }]],
  [
    "an image beside texts",
    [result("a", [text("A cat."), image("1"), text("Big.")])],
    [result("a", [text("A cat."), text("Big.")]), { role: "user", content: [image("1")] }],
  ],
  [
    "the images of parallel results, to the message of the user that follows",
    [result("a", [image("1")]), result("b", "none"), result("c", [image("2")]), { role: "user", content: "Well?" }],
    [
      result("a", moved),
      result("b", "none"),
      result("c", moved),
      { role: "user", content: [image("1"), image("2"), text("Well?")] },
    ],
  ],
  [
    "a file, before an answer",
    [result("a", [{ type: "file", file: {} }]), { role: "assistant", content: "Fine." }],
    [
      result("a", moved),
      { role: "user", content: [{ type: "file", file: {} }] },
      { role: "assistant", content: "Fine." },
    ],
  ],
])("moves %s", (_name, given, expected) => {
  expect(messagesOf(given)).toEqual({ model: "m", messages: expected });
});

it("keeps the digits of numbers, and the bytes of a request without such results", () => {
  const json = (content: string) =>
    `{"seed":12345678901234567890,"messages":[{"role":"tool","content":[${content}],"x":1.50}]}`;
  expect(change(json('{"type":"image_url"}'))).toBe(
    `{"seed":12345678901234567890,"messages":[{"role":"tool","content":"${moved}","x":1.50},{"role":"user","content":[{"type":"image_url"}]}]}`,
  );
  const bytes = encodeUtf8(json('{"type":"text","text":"a"}'));
  expect(withMediaAfterResults(bytes)).toBe(bytes);
});
