import { equalBytes, extraBytes, isUtf8, standsAt } from "./byte-buffer.ts";
import type { FrameOutput } from "./frame-output.ts";

const quote = 0x22;
const backslash = 0x5c;
const simpleEscapes = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));
const shortCopy = 48;

/**
 * A frame of a known shape: constant bytes around the insides of one or more JSON strings, and the constant bytes
 * that the client gets in their place. A frame that matches needs no parsing.
 */
export class FrameTemplate {
  /** Bytes of output text in the frame matched last. */
  textBytes = 0;
  /** Where the frame matched last ends. */
  end = 0;
  readonly #upstream: readonly Uint8Array[];
  readonly #client: readonly Uint8Array[];
  readonly #clientLength: number;
  readonly #textHole: number;
  readonly #unchanged: boolean;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #start = 0;
  #escaped = 0;

  /** `upstream` and `client` are the constant parts, one more than there are holes; the hole `textHole` holds the text. */
  constructor(upstream: readonly Uint8Array[], client: readonly Uint8Array[], textHole: number) {
    this.#upstream = upstream;
    this.#client = client;
    this.#clientLength = client.reduce((sum, part) => sum + part.length, 0);
    this.#textHole = textHole;
    this.#unchanged = upstream.every((part, at) => equalBytes(part, client[at] ?? part.subarray(0, 0)));
  }

  /** True when a whole frame of this shape begins at `start`. */
  match(bytes: Uint8Array, start: number, end: number): boolean {
    const parts = this.#upstream;
    let at = start;
    for (let part = 0; part < parts.length; part += 1) {
      const constant = parts[part];
      if (constant === undefined || !standsAt(constant, bytes, at, end)) return false;
      at += constant.length;
      if (part + 1 === parts.length) break;
      const close = this.#endOfString(bytes, at, end);
      if (close < 0) return false;
      if (part === this.#textHole) this.textBytes = close - at - this.#escaped;
      this.#starts[part] = at;
      this.#ends[part] = close;
      at = close;
    }
    this.#start = start;
    this.end = at;
    return this.textBytes > 0;
  }

  /** Writes what the client gets for the frame matched last. */
  write(bytes: Uint8Array, output: FrameOutput): void {
    if (this.#unchanged) {
      output.keep(bytes, this.#start, this.end);
      return;
    }
    let length = this.#clientLength;
    for (let hole = 0; hole < this.#starts.length; hole += 1) length += this.#holeEnd(hole) - this.#holeStart(hole);
    let at = output.reserve(length, bytes.length - this.end);
    const target = output.buffer;
    for (let part = 0; part < this.#client.length; part += 1) {
      const constant = this.#client[part];
      if (constant === undefined) break;
      target.set(constant, at);
      at += constant.length;
      if (part === this.#starts.length) break;
      at = copy(bytes, this.#holeStart(part), this.#holeEnd(part), target, at);
    }
  }

  /**
   * The closing quote of the JSON string whose inside begins at `start`; -1 when there is none or when a parser
   * would refuse or replace something in it.
   */
  #endOfString(bytes: Uint8Array, start: number, end: number): number {
    let seen = 0;
    this.#escaped = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) return seen < 0x80 || isUtf8(bytes, start, at) ? at : -1;
      if (byte < 0x20) return -1;
      seen |= byte;
      if (byte !== backslash) continue;
      const length = this.#escapeLength(bytes, at, end);
      if (length === 0) return -1;
      at += length - 1;
    }
    return -1;
  }

  /** The length of the escape at `at`, counting the bytes that it takes beyond its character; 0 when it is none. */
  #escapeLength(bytes: Uint8Array, at: number, end: number): number {
    const letter = bytes[at + 1] ?? 0;
    if (at + 1 < end && simpleEscapes.has(letter)) {
      this.#escaped += 1;
      return 2;
    }
    if (letter !== 0x75 || at + 6 > end) return 0;
    let codeUnit = 0;
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      const value = hexadecimal(bytes[digit] ?? 0);
      if (value < 0) return 0;
      codeUnit = codeUnit * 16 + value;
    }
    this.#escaped += 5 - extraBytes(codeUnit);
    return 6;
  }

  #holeStart(hole: number): number {
    return this.#starts[hole] ?? 0;
  }

  #holeEnd(hole: number): number {
    return this.#ends[hole] ?? 0;
  }
}

function copy(bytes: Uint8Array, start: number, end: number, target: Uint8Array, position: number): number {
  if (end - start > shortCopy) target.set(bytes.subarray(start, end), position);
  else for (let at = start, to = position; at < end; at += 1, to += 1) target[to] = bytes[at] ?? 0;
  return position + end - start;
}

function hexadecimal(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
