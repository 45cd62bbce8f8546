import { type NodeBuffer, nodeBuffer } from "../wire/platform.ts";

/** From this length on, a call into the runtime is faster than a loop. */
const shortRun = 24;

const native = nodeBuffer;
const encoder = new TextEncoder();

/** A text as UTF-8. A lone surrogate becomes U+FFFD. */
export const encodeText: (text: string) => Uint8Array =
  native === undefined ? (text) => encoder.encode(text) : (text) => native.from(text);

/** True when `run` stands in `bytes` at `start`, before `end`. */
export const standsAt: (run: Uint8Array, bytes: Uint8Array, start: number, end: number) => boolean =
  native === undefined ? standsAtByLoop : standsAtNatively(native.prototype.compare);

/** True when two runs of bytes are the same. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** True when `bytes` from `start` up to `end` are well-formed UTF-8 (RFC 3629). */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const length = sequenceLength(bytes[at] ?? 0, bytes[at + 1] ?? 0);
    if (length === 0 || at + length > end) return false;
    for (let next = at + 1; next < at + length; next += 1) {
      if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return false;
    }
    at += length;
  }
  return true;
}

/** Bytes of a text in UTF-8. A lone surrogate counts as 2, so that both halves of a pair count alike. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) length += extraBytes(text.charCodeAt(at));
  return length;
}

/** Bytes beyond the first that a UTF-16 code unit takes in UTF-8; half a surrogate pair takes 1. */
export function extraBytes(codeUnit: number): number {
  if (codeUnit < 0x80) return 0;
  return codeUnit < 0x800 || (codeUnit & 0xf800) === 0xd800 ? 1 : 2;
}

/** The length that a first byte announces; 0 when no character begins so, the second byte considered. */
function sequenceLength(first: number, second: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return (first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f) ? 0 : 3;
  if (first > 0xf4) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : 4;
}

function standsAtByLoop(run: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = run;
  if (end - start < length) return false;
  for (let at = 0; at < length; at += 1) {
    if (bytes[start + at] !== run[at]) return false;
  }
  return true;
}

function standsAtNatively(compare: NodeBuffer["prototype"]["compare"]): typeof standsAtByLoop {
  return (run, bytes, start, end) => {
    if (run.length < shortRun) return standsAtByLoop(run, bytes, start, end);
    return end - start >= run.length && compare.call(run, bytes, start, start + run.length) === 0;
  };
}
