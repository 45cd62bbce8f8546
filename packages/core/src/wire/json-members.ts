import { nodeBuffer } from "../platform.ts";
import { decodeUtf8 } from "./utf8.ts";

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const bracketBit = 0x20;
const open = 0x7b;
const close = 0x7d;

/** A member of an object in JSON text, as ranges of bytes; each end is exclusive, and the key's quotes are inside. */
export interface JsonMember {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Equal for equal names: unequal names are told apart by it almost always. */
  readonly hash: number;
  /** The name, when the key is not plain ASCII without escapes, where the bytes are the name. */
  readonly name: string | undefined;
}

/** The members of the top-level object in order, none for another value; or which limit the text exceeds. */
export type JsonScan =
  | { readonly members: readonly JsonMember[] }
  | { readonly exceeded: "depth" | "members" | "containers" };

/** Limits of {@link scanJson}. */
export interface JsonScanLimits {
  /** How deep objects and arrays may be nested; 100. */
  readonly maxDepth?: number;
  /** How many members the top-level object may have; 256. */
  readonly maxMembers?: number;
  /** How many objects and arrays may stand below the top-level object; 250,000. */
  readonly maxContainers?: number;
}

/** What the values that are yet to come may still use. */
interface Room {
  readonly depth: number;
  containers: number;
}

/**
 * Finds the members of the top-level object in the bytes of a JSON text (RFC 8259), in one pass and without recursion.
 * It does not check the text: what it says of bytes that JSON.parse refuses means nothing, but it ends.
 */
export function scanJson(bytes: Uint8Array, limits: JsonScanLimits = {}): JsonScan {
  const { maxDepth = 100, maxMembers = 256, maxContainers = 250_000 } = limits;
  const members: JsonMember[] = [];
  const start = skipBlank(bytes, 0);
  if (bytes[start] !== open) {
    const end = skipValue(bytes, start, { depth: maxDepth, containers: maxContainers });
    return end < 0 ? { exceeded: limitOf(end) } : { members };
  }
  const room = { depth: maxDepth - 1, containers: maxContainers };
  let keyStart = skipBlank(bytes, start + 1);
  while (bytes[keyStart] === quote) {
    const keyEnd = skipString(bytes, keyStart);
    const valueStart = skipBlank(bytes, skipBlank(bytes, keyEnd) + 1);
    const valueEnd = skipValue(bytes, valueStart, room);
    if (valueEnd < 0) return { exceeded: limitOf(valueEnd) };
    if (members.length === maxMembers) return { exceeded: "members" };
    members.push(memberOf(bytes, keyStart, keyEnd, valueStart, valueEnd));
    const separator = skipBlank(bytes, valueEnd);
    if (bytes[separator] !== comma) break;
    keyStart = skipBlank(bytes, separator + 1);
  }
  return { members };
}

/** The name of a member of the text. */
export function nameOf(bytes: Uint8Array, member: JsonMember): string {
  return member.name ?? decodeUtf8(bytes.subarray(member.keyStart + 1, member.keyEnd - 1)) ?? "";
}

/** True when the name of a member of the text is `name`; quicker than to decode it. */
export function isNamed(bytes: Uint8Array, member: JsonMember, name: string): boolean {
  if (member.name !== undefined) return member.name === name;
  const start = member.keyStart + 1;
  if (member.keyEnd - 1 - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if (bytes[start + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** The hash that a member of this name has. */
export function hashName(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return hash;
}

function memberOf(
  bytes: Uint8Array,
  keyStart: number,
  keyEnd: number,
  valueStart: number,
  valueEnd: number,
): JsonMember {
  let hash = 0;
  for (let i = keyStart + 1; i < keyEnd - 1; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === backslash || byte > 0x7f) {
      const name = decodeKey(bytes.subarray(keyStart, keyEnd));
      return { keyStart, keyEnd, valueStart, valueEnd, hash: hashName(name), name };
    }
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return { keyStart, keyEnd, valueStart, valueEnd, hash, name: undefined };
}

function decodeKey(key: Uint8Array): string {
  try {
    return String(JSON.parse(decodeUtf8(key) ?? '""'));
  } catch {
    return "";
  }
}

/** The place of the next byte from `from` on that is no white space. */
function skipBlank(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && (bytes[i] ?? 0) <= 0x20) i++;
  return i;
}

const tooDeep = -1;
const tooMany = -2;

const limitOf = (end: number): "depth" | "containers" => (end === tooDeep ? "depth" : "containers");

/** The end of the value at `from`, or {@link tooDeep} or {@link tooMany} when there is no room for it. */
function skipValue(bytes: Uint8Array, from: number, room: Room): number {
  const first = bytes[from] ?? 0;
  if (first === quote) return skipString(bytes, from);
  if ((first | bracketBit) === open) return skipNested(bytes, from, room);
  let i = from;
  for (; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= 0x20 || byte === comma || (byte | bracketBit) === close) break;
  }
  return i;
}

/** What a byte is to nesting: one look in a table for each, since most are nothing. */
const other = 0;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote) return quote;
  const bracket = byte | bracketBit;
  return bracket === open || bracket === close ? bracket : other;
});

function skipNested(bytes: Uint8Array, from: number, room: Room): number {
  const length = bytes.length;
  const { depth: maxDepth, containers } = room;
  let opened = 0;
  let depth = 0;
  let i = from;
  for (; i < length; i++) {
    const kind = kinds[bytes[i] ?? 0];
    if (kind === other) continue;
    if (kind === quote) {
      i = skipString(bytes, i) - 1;
    } else if (kind === open) {
      opened++;
      depth++;
      if (depth > maxDepth) return tooDeep;
      if (opened > containers) return tooMany;
    } else {
      depth--;
      if (depth === 0) break;
    }
  }
  room.containers = containers - opened;
  return Math.min(i + 1, length);
}

/** Bytes of a string that are read one by one before a search for its end pays. */
const shortString = 12;

/** The end of the string whose opening quote stands at `from`. */
function skipString(bytes: Uint8Array, from: number): number {
  const length = bytes.length;
  let i = from + 1;
  for (;;) {
    const stop = Math.min(i + shortString, length);
    for (; i < stop; i++) {
      const byte = bytes[i];
      if (byte === quote) return i + 1;
      if (byte === backslash) i++;
    }
    const end = indexOfByte(bytes, quote, i);
    if (end < 0) return length;
    if (!isEscaped(bytes, end, i)) return end + 1;
    i = end + 1;
  }
}

/** True when an odd number of backslashes stands right before `at`, none of them before `from`. */
function isEscaped(bytes: Uint8Array, at: number, from: number): boolean {
  let i = at;
  while (i > from && bytes[i - 1] === backslash) i--;
  return (at - i) % 2 === 1;
}

const searchBuffer = nodeBuffer?.prototype.indexOf;

function indexOfByte(bytes: Uint8Array, byte: number, from: number): number {
  // Buffer's search runs at the speed of memory, some thirty times that of Uint8Array's.
  return searchBuffer === undefined ? bytes.indexOf(byte, from) : searchBuffer.call(bytes, byte, from);
}
