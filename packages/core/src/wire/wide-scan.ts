/** The compiled form of `skip-string.wat`; a test compares the two. WebAssembly, version 1, with 128-bit SIMD. */
export const skipStringModule: string =
  "AGFzbQEAAAABBwFgAn9/AX8CEAEEc2NhbgZtZW1vcnkCAAEDAgEABw4BCnNraXBTdHJpbmcAAAqcAgGZAgIBewN/A0AgACABTwRAQX4gAGsPCy" +
  "AA/QAEACECIAJBIP0P/SYgAkEi/Q/9IyACQdwA/Q/9I/1Q/VD9ZCEDIANFBEAgAEEQaiEADAELIAAgA2hqIQAgACABTwRAQX4gAGsPCyAALQAA" +
  "IQQgBEEiRgRAIABBAWoPCyAEQSBJBEBBfw8LIAAtAAEhBCAAQQJqIQAgBEHuAEYNACAEQSJGDQAgBEHcAEYNACAEQfQARg0AIARB8gBGDQAgBE" +
  "EvRg0AIARB4gBGDQAgBEHmAEYNACAEQfUARwRAQX8PC0EEIQUDQCAALQAAIQQgBEEwa0EJSyAEQSByQeEAa0EFS3EEQEF/DwsgAEEBaiEAIAVB" +
  "AWsiBQ0ACwwACwAL";

/**
 * Scans the strings of a long JSON text 16 bytes at a time, in the memory of a WebAssembly module. It copies the text there in
 * windows. Where there is no WebAssembly with SIMD, or a policy forbids it, it scans nothing.
 */
export class WideScan {
  readonly #windowBytes: number;
  /** Undefined: not compiled yet. Null: not available. */
  #module: ScanModule | null | undefined;
  #text: Uint8Array | undefined;
  /** The part of the text that is in the memory: its start, where the scan of it ends, and whether the text ends there. */
  #start = 0;
  #end = 0;
  #isLast = false;

  /** `windowBytes` is a multiple of the 64 KiB of a page, less than which the module cannot have. */
  constructor(windowBytes: number = 1_048_576) {
    this.#windowBytes = windowBytes;
  }

  /** Starts to scan a text, if it is long enough to gain from it. */
  open(text: Uint8Array): void {
    if (text.length < minBytes || this.#module === null) return;
    this.#module ??= compile(this.#windowBytes);
    if (this.#module === null) return;
    this.#text = text;
    this.#start = 0;
    this.#end = 0;
  }

  /** Releases the text. */
  close(): void {
    this.#text = undefined;
  }

  /** True between `open` and `close` of a text that it scans. */
  scans(text: Uint8Array): boolean {
    return this.#text === text;
  }

  /** Returns the end of the string of the open text that contains the position; -1 if it is not valid or does not end. */
  skipString(from: number): number {
    for (let at = from; this.#module && this.#text !== undefined && at < this.#text.length; ) {
      if (at < this.#start || at >= this.#end) this.#load(this.#module, this.#text, at);
      const end = this.#module.skipString(at - this.#start, this.#end - this.#start);
      if (end >= 0) return this.#start + end;
      if (end === -1 || this.#isLast) return -1;
      at = this.#start - 2 - end;
    }
    return -1;
  }

  #load({ memory }: ScanModule, text: Uint8Array, at: number): void {
    const window = text.subarray(at, at + this.#windowBytes);
    memory.set(window);
    // What an earlier text left behind must not end a string of this one.
    memory.fill(0, window.length, window.length + paddingBytes);
    this.#start = at;
    this.#isLast = at + window.length === text.length;
    this.#end = at + window.length - (this.#isLast ? 0 : longestEscape);
  }
}

/** Below, compiling and copying cost more than they save. */
const minBytes = 8_192;
/** A load of 16 bytes, and an escape, may begin at the last byte. */
const paddingBytes = 16;
const longestEscape = 6;
const pageBytes = 65_536;

/** The module with its memory. */
interface ScanModule {
  readonly memory: Uint8Array;
  readonly skipString: SkipString;
}

/** See `skip-string.wat`. */
type SkipString = (at: number, end: number) => number;

/** A policy that forbids compiling, as on Cloudflare Workers, throws. */
function compile(windowBytes: number): ScanModule | null {
  try {
    const memory = new WebAssembly.Memory({ initial: windowBytes / pageBytes + 1 });
    const bytes = Uint8Array.from(atob(skipStringModule), (letter) => letter.charCodeAt(0));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { scan: { memory } });
    const { skipString } = exports;
    return isSkipString(skipString) ? { memory: new Uint8Array(memory.buffer), skipString } : null;
  } catch {
    return null;
  }
}

const isSkipString = (value: unknown): value is SkipString => typeof value === "function";
