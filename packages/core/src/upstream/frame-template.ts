import { joinBytes } from "../wire/bytes.ts";
import { endOfString, textLength } from "./json-string-bytes.ts";

/** A frame that fits a template. */
export interface MatchedFrame {
  /** Where the frame ends. */
  readonly end: number;
  /** Bytes of output text in the frame. */
  readonly textBytes: number;
  /** The frame to send to the client. */
  readonly translated: Uint8Array;
}

/**
 * Recognizes frames of a known shape: constant bytes around the contents of one or more JSON strings. A frame that
 * matches is not parsed: its strings are copied between the constant bytes of the client's frame.
 */
export class FrameTemplate {
  readonly #upstream: readonly Uint8Array[];
  readonly #client: readonly Uint8Array[];
  readonly #textIndex: number;

  /** `upstream` and `client` are the constant parts, one more than there are strings. The string at `textIndex` is the output text. */
  constructor(upstream: readonly Uint8Array[], client: readonly Uint8Array[], textIndex: number) {
    this.#upstream = upstream;
    this.#client = client;
    this.#textIndex = textIndex;
  }

  /** Matches a whole frame of this shape from `start`. Returns undefined if there is none that ends before `end`. */
  match(bytes: Uint8Array, start: number, end: number): MatchedFrame | undefined {
    const pieces: Uint8Array[] = [];
    let at = start;
    let textBytes = 0;
    for (let part = 0; part < this.#upstream.length; part += 1) {
      const constant = this.#upstream[part];
      const replacement = this.#client[part];
      if (constant === undefined || replacement === undefined || !startsWith(constant, bytes, at, end))
        return undefined;
      at += constant.length;
      pieces.push(replacement);
      if (part + 1 === this.#upstream.length) break;
      const close = endOfString(bytes, at, end);
      if (close < 0) return undefined;
      if (part === this.#textIndex) textBytes = textLength(bytes, at, close);
      pieces.push(bytes.subarray(at, close));
      at = close;
    }
    return textBytes > 0 ? { end: at, textBytes, translated: joinBytes(pieces) } : undefined;
  }
}

function startsWith(prefix: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = prefix;
  if (end - start < length) return false;
  for (let at = 0; at < length; at += 1) {
    if (bytes[start + at] !== prefix[at]) return false;
  }
  return true;
}
