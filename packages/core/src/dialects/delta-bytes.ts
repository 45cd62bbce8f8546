import { endOfString, textLength } from "../upstream/json-string-bytes.ts";
import type { SecretSearch } from "../upstream/secret-search.ts";
import { encodeUtf8, startsWith } from "../wire/bytes.ts";

const lineFeed = 0x0a;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const zero = 0x30;
const nine = 0x39;
const backslash = 0x5c;
const closeBrace = 0x7d;

/** How Anthropic begins a `content_block_delta` event. */
const messageStart = encodeUtf8('event: content_block_delta\ndata: {"type":"content_block_delta","index":');

/** The deltas that hold one text, up to that text. A signature is no output of the model. */
const messageDeltas = [
  { start: encodeUtf8(',"delta":{"type":"text_delta","text":"'), isText: true },
  { start: encodeUtf8(',"delta":{"type":"input_json_delta","partial_json":"'), isText: true },
  { start: encodeUtf8(',"delta":{"type":"thinking_delta","thinking":"'), isText: true },
  { start: encodeUtf8(',"delta":{"type":"signature_delta","signature":"'), isText: false },
];

/**
 * Returns the bytes of output text of a `content_block_delta` event in the form that Anthropic writes, without parsing it;
 * or -1 for any other event. Adds the text to `output`.
 */
export function messageDeltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
  if (!startsWith(bytes, start, end, messageStart)) return -1;
  const at = endOfDigits(bytes, start + messageStart.length);
  if (at < 0) return -1;
  for (const delta of messageDeltas) {
    if (!startsWith(bytes, at, end, delta.start)) continue;
    const textStart = at + delta.start.length;
    const textEnd = endOfString(bytes, textStart, end);
    if (textEnd < 0 || !isEnd(bytes, textEnd + 1, end)) return -1;
    output.addJson(bytes, textStart, textEnd);
    return delta.isText ? textLength(bytes, textStart, textEnd) : 0;
  }
  return -1;
}

/** True for two closing braces and a blank line. Anthropic pads events with spaces. */
function isEnd(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  for (const expected of [closeBrace, closeBrace]) {
    while (bytes[at] === space) at += 1;
    if (bytes[at] !== expected) return false;
    at += 1;
  }
  while (bytes[at] === space) at += 1;
  return at + 2 === end && bytes[at] === lineFeed && bytes[at + 1] === lineFeed;
}

/** The types of the events that add text, which are most of a stream. */
const responseDeltas = [
  "response.output_text.delta",
  "response.function_call_arguments.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.refusal.delta",
  "response.custom_tool_call_input.delta",
];

/** How OpenAI begins these events. */
const responseStarts = responseDeltas.map((type) => encodeUtf8(`event: ${type}\ndata: {"type":"${type}",`));

const deltaKey = encodeUtf8('"delta":"');
const noLogprobs = encodeUtf8('"logprobs":[]');

/** The other members of these events up to their value, by the code of their first letter. */
const places: (readonly { readonly start: Uint8Array; readonly isText: boolean }[] | undefined)[] = [];
for (const [name, isText] of [
  ["sequence_number", false],
  ["item_id", true],
  ["output_index", false],
  ["content_index", false],
  ["summary_index", false],
  ["obfuscation", true],
] as const) {
  const code = name.charCodeAt(0);
  places[code] = [...(places[code] ?? []), { start: encodeUtf8(isText ? `"${name}":"` : `"${name}":`), isText }];
}

/**
 * Returns the bytes of text in an event that adds text, without parsing it; or -1 for any other event, and for one that is
 * written in another way or has a member that the reference does not list. The event is in `bytes` from `start` to `end`,
 * with its blank line. Adds the text to `output`.
 */
export function responseDeltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
  const head = responseStarts.find((each) => startsWith(bytes, start, end, each));
  if (head === undefined || bytes[end - 1] !== lineFeed || bytes[end - 2] !== lineFeed) return -1;
  let textStart = -1;
  let textEnd = -1;
  let at = start + head.length;
  for (;;) {
    if (startsWith(bytes, at, end, deltaKey)) {
      // The last of several would count.
      if (textStart >= 0) return -1;
      textStart = at + deltaKey.length;
      textEnd = endOfString(bytes, textStart, end);
      if (textEnd < 0) return -1;
      at = textEnd + 1;
    } else at = endOfMember(bytes, at, end);
    if (at < 0) return -1;
    if (bytes[at] !== comma) break;
    at += 1;
  }
  if (bytes[at] !== closeBrace || at !== end - 3 || textStart < 0) return -1;
  output.addJson(bytes, textStart, textEnd);
  return textLength(bytes, textStart, textEnd);
}

/** Returns the end of a member that says where the text belongs, or -1 for any other. */
function endOfMember(bytes: Uint8Array, start: number, end: number): number {
  const candidates = places[bytes[start + 1] ?? 0];
  if (candidates === undefined) return startsWith(bytes, start, end, noLogprobs) ? start + noLogprobs.length : -1;
  for (let index = 0; index < candidates.length; index += 1) {
    const place = candidates[index];
    if (place === undefined || !startsWith(bytes, start, end, place.start)) continue;
    const at = start + place.start.length;
    return place.isText ? endOfPlainText(bytes, at, end) : endOfDigits(bytes, at);
  }
  return -1;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= nine) at += 1;
  return at === start ? -1 : at;
}

/** Returns the end of a string without escapes at its end. Its quote is found by the fastest means, since ids are long. */
function endOfPlainText(bytes: Uint8Array, start: number, end: number): number {
  const close = bytes.indexOf(quote, start);
  return close < 0 || close >= end || bytes[close - 1] === backslash ? -1 : close + 1;
}
