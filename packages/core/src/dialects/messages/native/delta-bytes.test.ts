import { expect, it } from "vitest";
import { SecretSearch } from "../../../upstream/secret-search.ts";
import { encodeUtf8 } from "../../../wire/bytes.ts";
import { deltaBytes } from "./delta-bytes.ts";

const measure = (event: string): number => {
  const bytes = encodeUtf8(`: before\n${event}after`);
  return deltaBytes(bytes, ": before\n".length, bytes.length - "after".length, new SecretSearch([]));
};
const delta = (json: string, index = "0", end = "}}\n\n") =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${json.slice(0, -1)}${end}`;

it.each([
  ["a text", delta('{"type":"text_delta","text":"Grüße"}'), 7],
  ["escapes", delta(String.raw`{"type":"text_delta","text":"\n\"\u20ac"}`), 5],
  ["an empty text", delta('{"type":"text_delta","text":""}'), 0],
  ["thinking", delta('{"type":"thinking_delta","thinking":"Hmm"}', "12"), 3],
  ["an input", delta(String.raw`{"type":"input_json_delta","partial_json":"{\"a\":"}`), 5],
  ["a signature, which is no output", delta('{"type":"signature_delta","signature":"EqQBCg=="}'), 0],
  ["spaces before the ends", delta('{"type":"text_delta","text":"Hi"}', "0", " }     }  \n\n"), 2],
])("measures %s", (_title, event, bytes) => {
  expect(measure(event)).toBe(bytes);
});

it.each([
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
