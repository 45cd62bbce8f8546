import { allocate } from "../wire/allocate.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const smallestBuffer = 512;
const largestKeptBuffer = 65_536;
const nothing = new Uint8Array(0);

/**
 * Finds the ends of events in an event stream that comes in pieces: an event ends at a blank line, and a line ends
 * with LF, CR or CRLF. An event that is split over chunks is gathered in one buffer; comments between events are
 * dropped. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventScanner {
  /** Where the event found last is: `bytes` from `start` up to `end`, good until the next call of `scan`. */
  bytes: Uint8Array = nothing;
  start = 0;
  end = 0;
  /** Position in the chunk after the event found last. */
  next = 0;
  /** An event is longer than the limit; nothing more can be read. */
  overflowed = false;

  readonly #maxBytes: number;
  #buffer: Uint8Array = nothing;
  #held = 0;
  #lineEmpty = true;
  #afterReturn = false;
  #comment = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The position of the first byte of a new event at `position` of a chunk, or -1 inside an event. */
  eventStart(chunk: Uint8Array, position: number): number {
    if (this.#held > 0 || !this.#lineEmpty) return -1;
    return this.#afterReturn && chunk[position] === lineFeed ? position + 1 : position;
  }

  /** Tells the scanner that a whole event was taken past it; the event's last byte decides what an LF after it means. */
  skipped(lastByte: number): void {
    this.#afterReturn = lastByte === carriageReturn;
  }

  /**
   * Reads a chunk from `position`. True: an event ended, and reading goes on at `next`. False: the chunk is used up, what remains of it is held, or the limit was passed.
   */
  scan(chunk: Uint8Array, position: number): boolean {
    let start = position;
    for (let at = position; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const empty = this.#held === 0 && at === start;
      if (byte !== lineFeed && byte !== carriageReturn) {
        if (empty) this.#comment = byte === colon;
        this.#lineEmpty = false;
        this.#afterReturn = false;
      } else if (byte === lineFeed && this.#afterReturn) {
        this.#afterReturn = false;
        if (empty) start = at + 1;
      } else {
        this.#afterReturn = byte === carriageReturn;
        if (empty) start = at + 1;
        else if (this.#lineEmpty) return this.#finish(chunk, start, at + 1);
        else if (this.#comment) start = this.#drop(start, at + 1);
        this.#lineEmpty = true;
        if (this.overflowed) return false;
      }
    }
    this.#hold(chunk, start, chunk.length);
    return false;
  }

  /** Forgets the event found last: it may be a view of a chunk, which a silent stream would keep alive. */
  letGo(): void {
    this.bytes = nothing;
  }

  /** Takes what is held at the end of the stream as an event. False: nothing is held. */
  flush(): boolean {
    if (this.#held === 0) return false;
    this.#place(this.#buffer, 0, this.#held);
    return true;
  }

  #finish(chunk: Uint8Array, start: number, end: number): boolean {
    this.next = end;
    if (this.#held === 0) {
      this.overflowed = end - start > this.#maxBytes;
      this.#place(chunk, start, end);
    } else {
      this.#hold(chunk, start, end);
      this.#place(this.#buffer, 0, this.#held);
    }
    return !this.overflowed;
  }

  #place(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.#held = 0;
    this.#lineEmpty = true;
    if (this.#buffer.length > largestKeptBuffer) this.#buffer = nothing;
  }

  #drop(start: number, end: number): number {
    this.overflowed = this.#held + end - start > this.#maxBytes;
    this.#held = 0;
    return end;
  }

  #hold(chunk: Uint8Array, start: number, end: number): void {
    const length = this.#held + end - start;
    if (length > this.#maxBytes) {
      this.overflowed = true;
      this.#buffer = nothing;
      this.#held = 0;
      return;
    }
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end), this.#held);
    this.#held = length;
  }

  #grow(length: number): void {
    const wanted = Math.max(smallestBuffer, length, Math.min(this.#buffer.length * 2, this.#maxBytes));
    const larger = allocate(wanted);
    larger.set(this.#buffer.subarray(0, this.#held));
    this.#buffer = larger;
  }
}
