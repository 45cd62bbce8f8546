import { endOfString, textLength } from "../../../upstream/json-string-bytes.ts";
import type { SecretSearch } from "../../../upstream/secret-search.ts";
import { encodeUtf8, startsWith } from "../../../wire/bytes.ts";

const head = encodeUtf8('event: content_block_delta\ndata: {"type":"content_block_delta","index":');

/** The deltas that hold one text, up to that text. A signature is no output of the model. */
const deltas = [
  { start: encodeUtf8(',"delta":{"type":"text_delta","text":"'), isText: true },
  { start: encodeUtf8(',"delta":{"type":"input_json_delta","partial_json":"'), isText: true },
  { start: encodeUtf8(',"delta":{"type":"thinking_delta","thinking":"'), isText: true },
  { start: encodeUtf8(',"delta":{"type":"signature_delta","signature":"'), isText: false },
];

const zero = 0x30;
const nine = 0x39;
const space = 0x20;
const lineFeed = 0x0a;
const closeBrace = 0x7d;

/**
 * Returns the bytes of output text of a `content_block_delta` event in the form that Anthropic writes, without parsing it;
 * or -1 for any other event. Adds the text to `output`.
 */
export function deltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
  if (!startsWith(bytes, start, end, head)) return -1;
  let at = start + head.length;
  const digits = at;
  while (at < end && (bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= nine) at += 1;
  if (at === digits) return -1;
  for (const delta of deltas) {
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
