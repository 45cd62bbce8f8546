import { expect, it } from "vitest";
import { SecretSearch } from "../../../upstream/secret-search.ts";
import { encodeUtf8 } from "../../../wire/bytes.ts";
import { deltaTextBytes } from "./delta-bytes.ts";

const measure = (text: string) => deltaTextBytes(encodeUtf8(text), 0, encodeUtf8(text).length, new SecretSearch([]));
const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

it("measures the text of events that add text", () => {
  const place = { sequence_number: 5, item_id: "msg_1", output_index: 0, content_index: 0 };
  expect(
    measure(event("response.output_text.delta", { ...place, delta: "Grüße", logprobs: [], obfuscation: "x" })),
  ).toBe(7);
  expect(measure(event("response.function_call_arguments.delta", { ...place, delta: '{"a":"\n"}' }))).toBe(9);
  expect(measure(event("response.refusal.delta", { ...place, delta: "" }))).toBe(0);
  expect(measure(event("response.output_text.delta", { item_id: "msg_1", delta: "ab" }))).toBe(2);
});

it.each([
  event("response.output_text.done", { text: "x" }),
  event("response.output_text.delta", { item_id: '"delta":"', delta: "ab" }),
  event("response.output_text.delta", { delta: "ab", model: "upstream-model" }),
  event("response.output_text.delta", { sequence_number: -1, delta: "ab" }),
  event("response.output_text.delta", { delta: "ab", logprobs: [{ token: "ab" }] }),
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"x","delta":"y"}\n\n',
  event("response.created", { response: { model: "upstream-model" } }),
  'event: response.output_text.delta\ndata: {"type":"response.created","delta":"x"}\n\n',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":7}\n\n',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"x"}\ndata: {"model":"u"}\n\n',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"x',
])("leaves %s to the parser", (text) => {
  expect(measure(text)).toBe(-1);
});
