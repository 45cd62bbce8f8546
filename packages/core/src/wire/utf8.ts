import { nodeBuffer, nodeText } from "./platform.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const tinyText = 64;
const shortText = 1_024;
/** Bytes that TextDecoder decodes as fast as anything else. */
const fewBytes = 256;

/** The text of UTF-8 bytes, or undefined when they are not UTF-8. A byte order mark is kept, which JSON.parse refuses. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  // TextDecoder takes up to twenty times as long for a text that is not all ASCII.
  if (nodeText !== undefined && bytes.length > fewBytes && !nodeText.isAscii(bytes)) {
    return nodeText.isUtf8(bytes) ? nodeText.transcode(bytes, "utf8", "utf16le").toString("utf16le") : undefined;
  }
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A text as UTF-8, lone surrogates as U+FFFD. The bytes may be a view of a larger buffer: never use their `buffer` whole. */
export function encodeUtf8(text: string): Uint8Array {
  if (text.length <= tinyText) return encodeTiny(text);
  // Node's Buffer takes short texts from a pool, in a third of the time; TextEncoder is faster on long ones.
  return nodeBuffer !== undefined && text.length < shortText ? nodeBuffer.from(text) : encoder.encode(text);
}

/** How many bytes a text has in UTF-8. */
export function byteLength(text: string): number {
  return nodeBuffer === undefined ? encoder.encode(text).byteLength : nodeBuffer.byteLength(text);
}

/** An array of up to 64 bytes lies in V8's own heap, so that to fill it here costs less than any call. */
function encodeTiny(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return encoder.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}
