import { endOfString, textLength } from "../../../streaming/json-string-bytes.ts";
import { encodeUtf8, startsWith } from "../../../wire/bytes.ts";

/** The types of the events that add text, which are most of a stream. */
const deltaTypes = [
  "response.output_text.delta",
  "response.function_call_arguments.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.refusal.delta",
  "response.custom_tool_call_input.delta",
];

/** How OpenAI begins these events. */
const starts = deltaTypes.map((type) => encodeUtf8(`event: ${type}\ndata: {"type":"${type}",`));
const deltaKey = encodeUtf8('"delta":"');
const lineFeed = 0x0a;
const closeBrace = 0x7d;

/**
 * Returns the bytes of text in an event that adds text, without parsing it; or -1 for any other event, and for one that is
 * written in another way. The event is in `bytes` from `start` to `end`, with its blank line.
 */
export function deltaTextBytes(bytes: Uint8Array, start: number, end: number): number {
  const head = starts.find((each) => startsWith(bytes, start, end, each));
  if (head === undefined) return -1;
  if (bytes[end - 1] !== lineFeed || bytes[end - 2] !== lineFeed || bytes[end - 3] !== closeBrace) return -1;
  // Quotes inside of a string are escaped, so this is a key. It may be one of a nested object, which has none of this name.
  const from = find(bytes, start + head.length, end, deltaKey);
  const close = from < 0 ? -1 : endOfString(bytes, from, end);
  if (close < 0 || bytes.indexOf(lineFeed, start + head.length) !== end - 2) return -1;
  return textLength(bytes, from, close);
}

/** Returns the position after the first occurrence of `wanted`, or -1. */
function find(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, start); at >= 0 && at < end; at = bytes.indexOf(first, at + 1))
    if (startsWith(bytes, at, end, wanted)) return at + wanted.length;
  return -1;
}
