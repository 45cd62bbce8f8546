import { codeUnitAt, escapable, isUnicodeEscape } from "../wire/json-skip.ts";

const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns the position of the closing quote of the JSON string whose content starts at `start`. Returns -1 if there is
 * none before `end`, or if a parser would reject the string or replace bytes in it.
 */
export function endOfString(bytes: Uint8Array, start: number, end: number): number {
  let seen = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return seen < 0x80 || isUtf8(bytes, start, at) ? at : -1;
    if (byte < 0x20) return -1;
    seen |= byte;
    if (byte !== backslash) continue;
    const length = escapeLength(bytes, at, end);
    if (length === 0) return -1;
    at += length - 1;
  }
  return -1;
}

/**
 * Returns the length in UTF-8 of the text that the content of a JSON string encodes, from `start` up to `end`. The string
 * must be valid for {@link endOfString}. A lone surrogate counts as 3 bytes, those of U+FFFD.
 */
export function textLength(bytes: Uint8Array, start: number, end: number): number {
  let length = end - start;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] !== backslash) continue;
    const escaped = escapeLength(bytes, at, end);
    if (escaped === 2) length -= 1;
    else if (isPair(bytes, at, end)) {
      length -= 2 * escaped - 4;
      at += escaped;
    } else length -= escaped - utf8Length(codeUnitAt(bytes, at + 2));
    at += escaped - 1;
  }
  return length;
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

/** Returns the length of the UTF-8 sequence that starts with these two bytes, or 0 if they are not valid. */
function sequenceLength(first: number, second: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return (first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f) ? 0 : 3;
  if (first > 0xf4) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : 4;
}

/** Returns the length of the escape sequence at `at`, or 0 if it is invalid. */
function escapeLength(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 < end && escapable[bytes[at + 1] ?? 0] === 1) return 2;
  return at + 6 <= end && isUnicodeEscape(bytes, at + 1) ? 6 : 0;
}

/** True for the escape sequences of both halves of a surrogate pair. */
const isPair = (bytes: Uint8Array, at: number, end: number): boolean =>
  (codeUnitAt(bytes, at + 2) & 0xfc00) === 0xd800 &&
  bytes[at + 6] === backslash &&
  escapeLength(bytes, at + 6, end) === 6 &&
  (codeUnitAt(bytes, at + 8) & 0xfc00) === 0xdc00;

/** Returns how many bytes a UTF-16 code unit takes in UTF-8. */
const utf8Length = (codeUnit: number): number => (codeUnit < 0x80 ? 1 : codeUnit < 0x800 ? 2 : 3);
