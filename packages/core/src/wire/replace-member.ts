import { allocate } from "./allocate.ts";
import { skipBlank, skipString, skipValue } from "./json-members.ts";

const openBrace = 0x7b;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * The JSON text of an object with another value of one member, and the rest byte for byte; undefined when the member is
 * not there, when it is there more than once, and when a name has an escape, since it could be the same. The text must
 * be one that JSON.parse takes; `name` is ASCII. The result may be a view of a larger buffer: never use its `buffer` whole.
 */
export function replaceMember(bytes: Uint8Array, name: string, value: Uint8Array): Uint8Array | undefined {
  const place = findOnly(bytes, name);
  if (place === undefined) return undefined;
  const { start, end } = place;
  const replaced = allocate(start + value.length + bytes.length - end);
  replaced.set(bytes.subarray(0, start));
  replaced.set(value, start);
  replaced.set(bytes.subarray(end), start + value.length);
  return replaced;
}

/** Where the value of the member stands. */
function findOnly(bytes: Uint8Array, name: string): { readonly start: number; readonly end: number } | undefined {
  let found: { readonly start: number; readonly end: number } | undefined;
  const opening = skipBlank(bytes, 0);
  if (bytes[opening] !== openBrace) return undefined;
  const room = { depth: Number.POSITIVE_INFINITY, containers: Number.POSITIVE_INFINITY };
  let at = skipBlank(bytes, opening + 1);
  while (bytes[at] === quote) {
    const keyEnd = skipString(bytes, at);
    const start = skipBlank(bytes, skipBlank(bytes, keyEnd) + 1);
    const end = skipValue(bytes, start, room);
    const same = compareName(bytes, at + 1, keyEnd - 1, name);
    if (same === "escaped" || (same && found !== undefined)) return undefined;
    if (same) found = { start, end };
    const separator = skipBlank(bytes, end);
    if (bytes[separator] !== comma) break;
    at = skipBlank(bytes, separator + 1);
  }
  return found;
}

function compareName(bytes: Uint8Array, start: number, end: number, name: string): boolean | "escaped" {
  let same = end - start === name.length;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte === backslash) return "escaped";
    if (byte !== name.charCodeAt(i - start)) same = false;
  }
  return same;
}
