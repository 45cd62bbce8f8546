import { nodeBuffer, nodeText } from "./platform.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
/** Bytes that TextDecoder decodes as fast as anything else. */
const fewBytes = 256;

/** The text of UTF-8 bytes, or undefined when they are not UTF-8. A byte order mark is kept, which JSON.parse refuses. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  // TextDecoder takes two to four times as long for a text that is not all ASCII: 5 us of 2 KB in German or Chinese.
  if (nodeText !== undefined && bytes.length > fewBytes && !nodeText.isAscii(bytes)) {
    return nodeText.isUtf8(bytes) ? nodeText.transcode(bytes, "utf8", "utf16le").toString("utf16le") : undefined;
  }
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for bytes that {@link decodeUtf8} decodes. */
export const isUtf8 = (bytes: Uint8Array): boolean =>
  nodeText === undefined ? decodeUtf8(bytes) !== undefined : nodeText.isUtf8(bytes);

/** A text as UTF-8, lone surrogates as U+FFFD. The bytes may be a view of a larger buffer: never use their `buffer` whole. */
export function encodeUtf8(text: string): Uint8Array {
  return nodeBuffer === undefined ? encoder.encode(text) : nodeBuffer.from(text);
}

/** How many bytes a text has in UTF-8. */
export function byteLength(text: string): number {
  return nodeBuffer === undefined ? encoder.encode(text).byteLength : nodeBuffer.byteLength(text);
}

const native = nodeBuffer;

/** Memory for `length` bytes. On Node it is not cleared and may come from a shared pool: write all of it. */
export const allocate: (length: number) => Uint8Array =
  native === undefined ? (length) => new Uint8Array(length) : (length) => native.allocUnsafe(length);

/** All chunks as one array, which may be a view of a larger buffer; a single chunk is given back as it is. */
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
