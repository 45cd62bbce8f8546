import { decodeUtf8, encodeUtf8 } from "../../wire/utf8.ts";

/** The beginning of a text, in UTF-16 units, which never ends within a code point. */
export function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** The beginning of a text that has at most so many bytes in UTF-8, whole code points only. */
export function cutBytes(text: string, most: number): { readonly text: string; readonly truncated: boolean } {
  // A unit of UTF-16 is at least one byte, so nothing beyond `most` units can fit.
  const bytes = encodeUtf8(text.slice(0, most + 1));
  if (bytes.length <= most) return { text, truncated: false };
  let end = most;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: decodeUtf8(bytes.subarray(0, end)) ?? "", truncated: true };
}
