/** The compiled form of `scan-strings.wat`; a test compares the two. WebAssembly, version 1, with 128-bit SIMD. */
export const scanStringsModule: string =
  "AGFzbQEAAAABFQNgAX8Bf2ACf34BfmAFf39/f38BfwIQAQRzY2FuBm1lbW9yeQIAAQMEAwABAgcPAQtzY2FuU3RyaW5ncwACCrgHAxcAIABBMGtBCU0g" +
  "AEEgckHhAGtBBU1yC1YCAX4BfwNAIAFQBEAgAg8LIAAgAXqnaiEDIAMtAAEQACADLQACEABxIAMtAAMQACADLQAEEABxcUUEQCACQgEgAXqGhCECCyAB" +
  "IAFCAX2DIQEMAAsAC8YGAwx7An8KfkHcAP0PIQVBIv0PIQZBIP0PIQdB9QD9DyEIQQ/9DyEJ/QwAAA0ACAgEAAAAAAACAAQBIQr9DAAAAQAAAgQIAAAA" +
  "AAAAAAAhCyADIRFCACACrX0hHAJAA0AgACABTw0BIAEgAGshEkJ/IRMgEkHAAEkEQEIBIBKthkIBfSETBSADIARPDQJBwAAhEgsgAP0ABAAhDSAA/QAE" +
  "ECEOIAD9AAQgIQ8gAP0ABDAhECANIAX9I/1kIA4gBf0j/WRBEHRyrSAPIAX9I/1kIBAgBf0j/WRBEHRyrUIghoQgG0J/hYMhFCAUQgGGIBuEIRUgFULV" +
  "qtWq1arVqtUAIBQgFEKq1arVqtWq1ap/gyAVQn+Fg3xCAYaFgyEWQgEgFCAWQn+FgyASQQFrrYiDIRsgDSAG/SP9ZCAOIAb9I/1kQRB0cq0gDyAG/SP9" +
  "ZCAQIAb9I/1kQRB0cq1CIIaEIBODIBZCf4WDIRcgFyAXQgGGhSEYIBggGEIChoUhGCAYIBhCBIaFIRggGCAYQgiGhSEYIBggGEIQhoUhGCAYIBhCIIaF" +
  "IRggGCAchSEYIBhCP4chHCAYIBODIRggGCANIAf9Jv1kIA4gB/0m/WRBEHRyrSAPIAf9Jv1kIBAgB/0m/WRBEHRyrUIghoSDIRkgFiAYgyEWIBZCAFIE" +
  "QCAWIA0gCP0j/WQgDiAI/SP9ZEEQdHKtIA8gCP0j/WQgECAI/SP9ZEEQdHKtQiCGhIMhGiAKIA0gCf1O/Q4gCyANQQT9bf0O/U4hDSAKIA4gCf1O/Q4g" +
  "CyAOQQT9bf0O/U4hDiAKIA8gCf1O/Q4gCyAPQQT9bf0O/U4hDyAKIBAgCf1O/Q4gCyAQQQT9bf0O/U4hECAZIAAgGhABhCAWIA0gDP0j/WQgDiAM/SP9" +
  "ZEEQdHKtIA8gDP0j/WQgECAM/SP9ZEEQdHKtQiCGhIOEIRkLIBlCAFIEQCAXIBlCACAZfYNCAX2DIRcLAkADQCAXUA0BIAMgACAXeqdqNgIAIANBBGoh" +
  "AyAXIBdCAX2DIRcMAAsLIBlCAFIEQCADQX82AgAgA0EEaiEDDAILIAAgEmohAAwACwsgAyAAIBunazYCACADIBFrQQJ2Cw==";

/**
 * Finds the strings of a long JSON text 64 bytes at a time, in the memory of a WebAssembly module, many in one call. It copies the
 * text there in windows. Where there is no WebAssembly with SIMD, or a policy forbids it, it scans nothing.
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
  /** Where the quotes of the next strings are in that part. As many are valid as the count. */
  #quotes: Int32Array = noQuotes;
  #count = 0;
  #next = 0;

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
    this.#quotes = this.#module.quotes;
    // Nothing of the text is in the memory yet.
    this.#end = 0;
    this.#count = 0;
  }

  /** Releases the text. */
  close(): void {
    this.#text = undefined;
  }

  /** True between `open` and `close` of a text that it scans. */
  scans(text: Uint8Array): boolean {
    return this.#text === text;
  }

  /** Returns the end of the string of the open text whose opening quote is at `from`; -1 if it is not valid or does not end. */
  skipString(from: number): number {
    const quotes = this.#quotes;
    let next = this.#next;
    if (next >= this.#count || (quotes[next] ?? 0) !== from - this.#start) {
      if (from >= this.#start && from < this.#end) this.#scan(from, false);
      else this.#load(from, false);
      next = 0;
    }
    for (next += 1; next >= this.#count; next = 0) {
      // The string goes on after the list, or after the window.
      const at = this.#start + (quotes[this.#count] ?? 0);
      if (at + 1 < this.#end) this.#scan(at, true);
      else if (this.#isLast) return -1;
      else this.#load(at, true);
    }
    const end = quotes[next] ?? 0;
    this.#next = next + 1;
    return end < 0 ? -1 : this.#start + end + 1;
  }

  /** Copies a window of the text, and lists the quotes in it. */
  #load(at: number, isInside: boolean): void {
    if (!this.#module || this.#text === undefined) return;
    const { memory } = this.#module;
    const window = this.#text.subarray(at, at + this.#windowBytes);
    memory.set(window);
    // What an earlier text left behind must not end a string of this one.
    memory.fill(0, window.length, window.length + blockBytes);
    this.#start = at;
    this.#isLast = at + window.length === this.#text.length;
    this.#end = at + window.length - (this.#isLast ? 0 : longestEscape);
    this.#scan(at, isInside);
  }

  /** Lists the quotes from a position in the window on. */
  #scan(at: number, isInside: boolean): void {
    this.#count = this.#module?.scan(at - this.#start, this.#end - this.#start, isInside) ?? 0;
  }
}

const noQuotes = new Int32Array();
/** Below, compiling and copying cost more than they save. */
const minBytes = 1_024;
/** A block may begin at the last byte. */
const blockBytes = 64;
const longestEscape = 6;
const pageBytes = 65_536;
/** The list is in the page after the window. Beyond its limit there is room for the quotes of two more blocks, and two numbers. */
const listStart = blockBytes;
const listLimit = pageBytes - (2 * blockBytes + 2) * Int32Array.BYTES_PER_ELEMENT;

/** The module with its memory. */
interface ScanModule {
  readonly memory: Uint8Array;
  readonly quotes: Int32Array;
  /** Writes the quotes from `at` to `end`, then where the scan goes on. Returns how many there are. */
  scan(at: number, end: number, isInside: boolean): number;
}

/** See `scan-strings.wat`. */
type ScanStrings = (at: number, end: number, isInside: number, list: number, listLimit: number) => number;

/** A policy that forbids compiling, as on Cloudflare Workers, throws. */
function compile(windowBytes: number): ScanModule | null {
  try {
    const memory = new WebAssembly.Memory({ initial: windowBytes / pageBytes + 1 });
    const bytes = Uint8Array.from(atob(scanStringsModule), (letter) => letter.charCodeAt(0));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { scan: { memory } });
    const { scanStrings } = exports;
    if (!isScanStrings(scanStrings)) return null;
    return {
      memory: new Uint8Array(memory.buffer),
      quotes: new Int32Array(memory.buffer, windowBytes + listStart),
      scan: (at, end, isInside) =>
        scanStrings(at, end, isInside ? 1 : 0, windowBytes + listStart, windowBytes + listLimit),
    };
  } catch {
    return null;
  }
}

const isScanStrings = (value: unknown): value is ScanStrings => typeof value === "function";
