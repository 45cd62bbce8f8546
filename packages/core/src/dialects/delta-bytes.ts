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
const tilde = 0x7e;

/** How Anthropic begins a `content_block_delta` event. */
const messageStart = encodeUtf8('event: content_block_delta\ndata: {"type":"content_block_delta","index":');

/** The deltas that hold output, up to their text. */
const messageDeltas = [
  encodeUtf8(',"delta":{"type":"text_delta","text":"'),
  encodeUtf8(',"delta":{"type":"input_json_delta","partial_json":"'),
  encodeUtf8(',"delta":{"type":"thinking_delta","thinking":"'),
];

/**
 * Returns the bytes of output text of a `content_block_delta` event in the form that Anthropic writes, without parsing it;
 * or -1 for any other event, and for one without text. Adds the text to `output`.
 */
export function messageDeltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
  if (!startsWith(bytes, start, end, messageStart)) return -1;
  const at = endOfNumber(bytes, start + messageStart.length);
  const delta = at < 0 ? undefined : messageDeltas.find((each) => startsWith(bytes, at, end, each));
  if (delta === undefined) return -1;
  const textStart = at + delta.length;
  const textEnd = endOfString(bytes, textStart, end);
  if (textEnd < 0 || !isEnd(bytes, textEnd + 1, end)) return -1;
  return addOutput(bytes, textStart, textEnd, output);
}

/** Adds the text of a delta to the output. Returns its bytes, or -1 for an empty one, which only its reader knows to count. */
function addOutput(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
  if (start === end) return -1;
  output.addJson(bytes, start, end);
  return textLength(bytes, start, end);
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
const numberKey = encodeUtf8('"sequence_number":');
const noLogprobs = encodeUtf8('"logprobs":[]');

/** The other members of these events up to their value, by the code of their first letter. */
const otherMembers: (readonly { readonly start: Uint8Array; readonly isText: boolean }[] | undefined)[] = [];
for (const [name, isText] of [
  ["item_id", true],
  ["output_index", false],
  ["content_index", false],
  ["summary_index", false],
  ["obfuscation", true],
] as const) {
  const code = name.charCodeAt(0);
  const start = encodeUtf8(isText ? `"${name}":"` : `"${name}":`);
  otherMembers[code] = [...(otherMembers[code] ?? []), { start, isText }];
}

/** The number of the next event. */
export interface EventNumbers {
  next: number;
}

/**
 * Returns the bytes of text in an event that adds text, without parsing it; or -1 for any other event, for one without text,
 * and for one that is written in another way or has a member that the reference does not list. The event is in `bytes` from
 * `start` to `end`, with its blank line. Adds the text to `output`, and counts the event in `numbers`.
 */
export function responseDeltaBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  output: SecretSearch,
  numbers: EventNumbers,
): number {
  const head = responseStarts.find((each) => startsWith(bytes, start, end, each));
  if (head === undefined || bytes[end - 1] !== lineFeed || bytes[end - 2] !== lineFeed) return -1;
  let textStart = -1;
  let textEnd = -1;
  let { next } = numbers;
  let at = start + head.length;
  for (;;) {
    if (startsWith(bytes, at, end, deltaKey)) {
      // The last of several would count.
      if (textStart >= 0) return -1;
      textStart = at + deltaKey.length;
      textEnd = endOfString(bytes, textStart, end);
      at = textEnd < 0 ? -1 : textEnd + 1;
    } else if (startsWith(bytes, at, end, numberKey)) {
      const digits = at + numberKey.length;
      at = endOfNumber(bytes, digits);
      next = numberAt(bytes, digits, at);
    } else at = endOfMember(bytes, at, end, output);
    if (at < 0) return -1;
    if (bytes[at] !== comma) break;
    at += 1;
  }
  if (bytes[at] !== closeBrace || at !== end - 3 || textStart < 0) return -1;
  const length = addOutput(bytes, textStart, textEnd, output);
  if (length > 0) numbers.next = next + 1;
  return length;
}

/** Returns the end of a member that says where the text belongs, or -1 for any other. Searches its text for secrets. */
function endOfMember(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
  const candidates = otherMembers[bytes[start + 1] ?? 0];
  if (candidates === undefined) return startsWith(bytes, start, end, noLogprobs) ? start + noLogprobs.length : -1;
  for (const member of candidates) {
    if (!startsWith(bytes, start, end, member.start)) continue;
    const at = start + member.start.length;
    if (!member.isText) return endOfNumber(bytes, at);
    const close = endOfPlainText(bytes, at, end);
    if (close < 0) return -1;
    output.searchApart(bytes, at, close);
    return close + 1;
  }
  return -1;
}

/** Longer numbers are not safe integers. */
const maxDigits = 15;

/** Returns the end of a whole number as JSON writes it, or -1 for another value. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= nine) at += 1;
  const length = at - start;
  return length === 0 || length > maxDigits || (length > 1 && bytes[start] === zero) ? -1 : at;
}

function numberAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + (bytes[at] ?? zero) - zero;
  return value;
}

/** Returns the position of the closing quote of a string in printable ASCII without escapes, or -1 for any other. */
function endOfPlainText(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at;
    if (byte < space || byte > tilde || byte === backslash) return -1;
  }
  return -1;
}
