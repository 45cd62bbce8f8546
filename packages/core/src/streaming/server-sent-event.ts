import { isJsonObject } from "../wire/json.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const openingBracket = 0x5b;
const openingBrace = 0x7b;
const decoder = new TextDecoder();

/** One event of an event stream: its data lines joined by LF, and its name when it has one. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
  /** Where the data is among the bytes when it is one line and the event has no other; else undefined. */
  readonly dataStart: number | undefined;
  readonly dataEnd: number;
}

/**
 * The event in `bytes` from `start` up to `end`, or undefined when it has no data. Malformed UTF-8 becomes U+FFFD. The
 * JSON of an error without a field name before it is data too. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function readEvent(bytes: Uint8Array, start: number, end: number): ServerSentEvent | undefined {
  const data: string[] = [];
  let name = "";
  let lines = 0;
  let valueStart = start;
  let valueEnd = start;
  for (let at = skipByteOrderMark(bytes, start, end); at < end; ) {
    const lineEnd = endOfLine(bytes, at, end);
    if (lineEnd > at) {
      lines += 1;
      const nameEnd = endOfName(bytes, at, lineEnd);
      const field = nameEnd === at ? "" : decoder.decode(bytes.subarray(at, nameEnd));
      if (field === "data" || field === "event") {
        valueStart = Math.min(lineEnd, nameEnd + (bytes[nameEnd + 1] === space ? 2 : 1));
        valueEnd = lineEnd;
        const value = decoder.decode(bytes.subarray(valueStart, valueEnd));
        if (field === "data") data.push(value);
        else name = value;
      }
    }
    at = lineEnd + 1;
  }
  if (data.length === 0) return readBareError(bytes, start, end);
  return { name, data: data.join("\n"), dataStart: lines === 1 ? valueStart : undefined, dataEnd: valueEnd };
}

/** Some upstreams, such as Google, end a stream with the JSON of an error that is not on a `data:` line. */
function readBareError(bytes: Uint8Array, start: number, end: number): ServerSentEvent | undefined {
  const first = bytes[skipByteOrderMark(bytes, start, end)];
  if (first !== openingBrace && first !== openingBracket) return undefined;
  const data = decoder.decode(bytes.subarray(start, end));
  return tellsError(data) ? { name: "", data, dataStart: undefined, dataEnd: end } : undefined;
}

function tellsError(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const body: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(body) && Boolean(body["error"]);
  } catch {
    return false;
  }
}

function skipByteOrderMark(bytes: Uint8Array, start: number, end: number): number {
  const marked = end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return marked ? start + 3 : start;
}

function endOfLine(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at += 1;
  return at;
}

function endOfName(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== colon) at += 1;
  return at;
}
