import { nodeBuffer, nodeText } from "./platform.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
/** TextDecoder is as fast as the alternatives up to this length. */
const maxBytesForDecoder = 256;

/** Decodes UTF-8, or returns undefined for invalid UTF-8. Keeps a byte order mark, which JSON.parse rejects. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  // TextDecoder takes two to four times as long for a text that is not ASCII: 5 us for 2 KB of German or Chinese.
  if (nodeText !== undefined && bytes.length > maxBytesForDecoder && !nodeText.isAscii(bytes)) {
    return nodeText.isUtf8(bytes) ? nodeText.transcode(bytes, "utf8", "utf16le").toString("utf16le") : undefined;
  }
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for bytes that {@link decodeUtf8} can decode. */
export const isUtf8 = (bytes: Uint8Array): boolean =>
  nodeText === undefined ? decodeUtf8(bytes) !== undefined : nodeText.isUtf8(bytes);

/** Encodes a text as UTF-8, with lone surrogates as U+FFFD. The result may be a view of a larger buffer: do not use its `buffer`. */
export function encodeUtf8(text: string): Uint8Array {
  return nodeBuffer === undefined ? encoder.encode(text) : nodeBuffer.from(text);
}

/** Returns a text that may be given in UTF-8. Invalid UTF-8 is an empty text. */
export const asText = (text: string | Uint8Array): string =>
  typeof text === "string" ? text : (decodeUtf8(text) ?? "");

/** Returns bytes for Fetch, which accepts none in shared memory: a copy of those, and others as they are. */
export const unshared = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  isUnshared(bytes) ? bytes : new Uint8Array(bytes);

const isUnshared = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

/** Returns the length of a text in UTF-8, or of a text that is given in UTF-8. */
export function byteLength(text: string | Uint8Array): number {
  if (typeof text !== "string") return text.length;
  return nodeBuffer === undefined ? encoder.encode(text).byteLength : nodeBuffer.byteLength(text);
}

/** True if bytes in UTF-8 contain a text. */
export const includesText = (bytes: Uint8Array, text: string): boolean =>
  nodeBuffer === undefined
    ? (decodeUtf8(bytes)?.includes(text) ?? false)
    : nodeBuffer.prototype.indexOf.call(bytes, text) >= 0;

const buffers = nodeBuffer;

/** Allocates `length` bytes. On Node they are not cleared and may come from a shared pool: write all of them. */
export const allocate: (length: number) => Uint8Array =
  buffers === undefined ? (length) => new Uint8Array(length) : (length) => buffers.allocUnsafe(length);

/** Joins all chunks. The result may be a view of a larger buffer. Returns a single chunk unchanged. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const whole = allocate(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Up to this number of bytes, copying each is faster than creating a view. */
const shortPiece = 128;

/** Copies a part of `source` to `target`, from `at` on. */
export function copyBytes(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): void {
  if (to - from > shortPiece) {
    target.set(source.subarray(from, to), at);
    return;
  }
  for (let i = from; i < to; i++) target[at + i - from] = source[i] ?? 0;
}

/** True if the bytes from `start` up to `end` begin with these. */
export function startsWith(bytes: Uint8Array, start: number, end: number, expected: Uint8Array): boolean {
  if (end - start < expected.length) return false;
  for (let at = 0; at < expected.length; at += 1) if (bytes[start + at] !== expected[at]) return false;
  return true;
}

/** Compares two texts by their bytes in UTF-8, as databases do. The operators of JavaScript compare UTF-16, whose order differs. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const [bytes, others] = [encoder.encode(a), encoder.encode(b)];
  const at = bytes.findIndex((byte, index) => byte !== others[index]);
  return at === -1 ? -1 : (bytes[at] ?? 0) - (others[at] ?? -1);
}

/** Replaces NUL and halves of surrogate pairs, which databases cannot store, with U+FFFD. */
export function toStorableText(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, "\ufffd");
}
