import { decodeUtf8, encodeUtf8 } from "@tollgate/core/extension";

/** Truncates a text to `max` UTF-16 code units, without splitting a code point. */
export function truncateToCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** Truncates a text to `max` bytes in UTF-8, without splitting a code point. */
export function truncateToBytes(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  // A UTF-16 code unit takes at least one byte, so at most `max` units fit.
  const bytes = encodeUtf8(text.slice(0, max + 1));
  if (bytes.length <= max) return { text, truncated: false };
  let end = max;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: decodeUtf8(bytes.subarray(0, end)) ?? "", truncated: true };
}
