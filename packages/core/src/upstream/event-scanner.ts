import { allocate } from "../wire/bytes.ts";
import { isJsonObject } from "../wire/json.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
/** The most bytes of an event that is read. */
export const maxEventBytes = 16_777_216;

const minBuffer = 512;
const maxRetainedBuffer = 65_536;
const nothing = new Uint8Array(0);

/** An event among the bytes of a stream: `bytes` from `start` up to `end`, valid until the next call of the scanner. */
export interface ScannedEvent {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** The position in the chunk after the event. */
  readonly next: number;
}

/**
 * Finds the ends of events in a chunked event stream. An event ends at a blank line, and a line ends with LF, CR or CRLF.
 * An event that is split over chunks is collected in a buffer. Comments between events are dropped. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventScanner {
  readonly #maxBytes: number;
  #overflowed = false;
  #buffer: Uint8Array = nothing;
  #bufferedLength = 0;
  #atLineStart = true;
  #lastWasCarriageReturn = false;
  #inComment = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True once an event was longer than the limit. The rest of the stream cannot be read. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Returns where an event starts at `position` of a chunk, or -1 if `position` is inside an event. */
  eventStart(chunk: Uint8Array, position: number): number {
    if (this.#bufferedLength > 0 || !this.#atLineStart) return -1;
    return this.#lastWasCarriageReturn && chunk[position] === lineFeed ? position + 1 : position;
  }

  /** Records that the caller consumed a whole event itself. If its last byte is CR, a following LF belongs to the same line end. */
  skipEvent(lastByte: number): void {
    this.#lastWasCarriageReturn = lastByte === carriageReturn;
  }

  /**
   * Reads a chunk from `position` to the end of an event. Returns undefined if the chunk ends first, after buffering the
   * rest of it, or if the event exceeds the limit.
   */
  scan(chunk: Uint8Array, position: number): ScannedEvent | undefined {
    let start = position;
    for (let at = position; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const atEventStart = this.#bufferedLength === 0 && at === start;
      if (byte !== lineFeed && byte !== carriageReturn) {
        if (atEventStart) this.#inComment = byte === colon;
        this.#atLineStart = false;
        this.#lastWasCarriageReturn = false;
      } else if (byte === lineFeed && this.#lastWasCarriageReturn) {
        this.#lastWasCarriageReturn = false;
        if (atEventStart) start = at + 1;
      } else {
        this.#lastWasCarriageReturn = byte === carriageReturn;
        if (atEventStart) start = at + 1;
        else if (this.#atLineStart) return this.#finish(chunk, start, at + 1);
        else if (this.#inComment) start = this.#discardComment(start, at + 1);
        this.#atLineStart = true;
        if (this.#overflowed) return undefined;
      }
    }
    this.#appendToBuffer(chunk, start, chunk.length);
    return undefined;
  }

  /** Ends the stream. Returns the buffered bytes as an event, or undefined if there are none. */
  flush(): ScannedEvent | undefined {
    return this.#bufferedLength === 0 ? undefined : this.#takeBuffer(0);
  }

  #finish(chunk: Uint8Array, start: number, end: number): ScannedEvent | undefined {
    if (this.#bufferedLength === 0) {
      this.#overflowed = end - start > this.#maxBytes;
      this.#atLineStart = true;
      return this.#overflowed ? undefined : { bytes: chunk, start, end, next: end };
    }
    this.#appendToBuffer(chunk, start, end);
    return this.#overflowed ? undefined : this.#takeBuffer(end);
  }

  #takeBuffer(next: number): ScannedEvent {
    const event = { bytes: this.#buffer, start: 0, end: this.#bufferedLength, next };
    this.#bufferedLength = 0;
    this.#atLineStart = true;
    if (this.#buffer.length > maxRetainedBuffer) this.#buffer = nothing;
    return event;
  }

  #discardComment(start: number, end: number): number {
    this.#overflowed = this.#bufferedLength + end - start > this.#maxBytes;
    this.#bufferedLength = 0;
    return end;
  }

  #appendToBuffer(chunk: Uint8Array, start: number, end: number): void {
    const length = this.#bufferedLength + end - start;
    if (length > this.#maxBytes) {
      this.#overflowed = true;
      this.#buffer = nothing;
      this.#bufferedLength = 0;
      return;
    }
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end), this.#bufferedLength);
    this.#bufferedLength = length;
  }

  #grow(length: number): void {
    const wanted = Math.max(minBuffer, length, Math.min(this.#buffer.length * 2, this.#maxBytes));
    const larger = allocate(wanted);
    larger.set(this.#buffer.subarray(0, this.#bufferedLength));
    this.#buffer = larger;
  }
}

const space = 0x20;
const openingBracket = 0x5b;
const openingBrace = 0x7b;
const decoder = new TextDecoder();

/** One event of an event stream: its name, or an empty string, and its data lines joined by LF. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
  /** Where the data starts in the bytes, if the event is a single data line; otherwise undefined. */
  readonly dataStart: number | undefined;
  readonly dataEnd: number;
}

/**
 * Returns the event in `bytes` from `start` up to `end`, or undefined if it has no data. Malformed UTF-8 becomes U+FFFD.
 * The JSON of an error that has no field name before it also counts as data. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
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
