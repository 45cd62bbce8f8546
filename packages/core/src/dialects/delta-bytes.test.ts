import { describe, expect, it } from "vitest";
import { SecretSearch } from "../upstream/secret-search.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import { messageDeltaBytes, responseDeltaBytes } from "./delta-bytes.ts";

describe("messageDeltaBytes", () => {
  const measure = (event: string): number => {
    const bytes = encodeUtf8(`: before\n${event}after`);
    return messageDeltaBytes(bytes, ": before\n".length, bytes.length - "after".length, new SecretSearch([]));
  };
  const delta = (json: string, index = "0", end = "}}\n\n") =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${json.slice(0, -1)}${end}`;

  it.each([
    ["a text", delta('{"type":"text_delta","text":"Grüße"}'), 7],
    ["escapes", delta(String.raw`{"type":"text_delta","text":"\n\"\u20ac"}`), 5],
    ["thinking", delta('{"type":"thinking_delta","thinking":"Hmm"}', "12"), 3],
    ["an input", delta(String.raw`{"type":"input_json_delta","partial_json":"{\"a\":"}`), 5],
    ["spaces before the ends", delta('{"type":"text_delta","text":"Hi"}', "0", " }     }  \n\n"), 2],
  ])("measures %s", (_title, event, bytes) => {
    expect(measure(event)).toBe(bytes);
  });

  it.each([
    ["an empty text", delta('{"type":"text_delta","text":""}')],
    ["a signature", delta('{"type":"signature_delta","signature":"EqQBCg=="}')],
    ["an index that is no JSON", delta('{"type":"text_delta","text":"Hi"}', "00")],
    ["another event", 'event: ping\ndata: {"type": "ping"}\n\n'],
    ["a delta without a known text", delta('{"type":"citations_delta","citation":{}}')],
    ["a delta with another member", delta('{"type":"text_delta","text":"Hi","more":1}')],
    ["a member after the delta", delta('{"type":"text_delta","text":"Hi"}', "0", '},"model":"upstream"}\n\n')],
    ["an index that is no number", delta('{"type":"text_delta","text":"Hi"}', "-1")],
    ["no index", delta('{"type":"text_delta","text":"Hi"}', "")],
    ["an invalid escape", delta(String.raw`{"type":"text_delta","text":"\x"}`)],
    ["a string that does not end", delta('{"type":"text_delta","text":"Hi}')],
    ["a second line of data", delta('{"type":"text_delta","text":"Hi"}', "0", "}}\ndata: {}\n\n")],
    ["an event that is cut off", delta('{"type":"text_delta","text":"Hi"}', "0", "}")],
  ])("leaves %s to the parser", (_title, event) => {
    expect(measure(event)).toBe(-1);
  });
});

describe("responseDeltaBytes", () => {
  const measure = (text: string, numbers = { next: 0 }, output = new SecretSearch([])) =>
    responseDeltaBytes(encodeUtf8(text), 0, encodeUtf8(text).length, output, numbers);
  const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

  it("measures the text of events that add text", () => {
    const place = { sequence_number: 5, item_id: "msg_1", output_index: 0, content_index: 0 };
    expect(
      measure(event("response.output_text.delta", { ...place, delta: "Grüße", logprobs: [], obfuscation: "x" })),
    ).toBe(7);
    expect(measure(event("response.function_call_arguments.delta", { ...place, delta: '{"a":"\n"}' }))).toBe(9);
    expect(measure(event("response.output_text.delta", { item_id: "msg_1", delta: "ab" }))).toBe(2);
  });

  it("counts events by their numbers, or one after another", () => {
    const numbers = { next: 4 };
    measure(event("response.output_text.delta", { delta: "a" }), numbers);
    expect(numbers.next).toBe(5);
    measure(event("response.output_text.delta", { sequence_number: 12, delta: "a" }), numbers);
    expect(numbers.next).toBe(13);
    measure(event("response.output_text.delta", { sequence_number: 20, delta: "" }), numbers);
    expect(numbers.next).toBe(13);
  });

  it("finds a secret in an id, which does not interrupt one in the text", () => {
    const inId = new SecretSearch(["sk-secret"]);
    measure(event("response.output_text.delta", { item_id: "msg_sk-secret", delta: "a" }), { next: 0 }, inId);
    expect(inId.found).toBe(true);
    const inText = new SecretSearch(["sk-secret"]);
    for (const delta of ["sk-", "sec", "ret"])
      measure(event("response.output_text.delta", { item_id: "sk-", delta }), { next: 0 }, inText);
    expect(inText.found).toBe(true);
  });

  it.each([
    event("response.refusal.delta", { delta: "" }),
    event("response.output_text.delta", { item_id: "é", delta: "ab" }),
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":01,"delta":"x"}\n\n',
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"a\tb","delta":"x"}\n\n',
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
});
