import { decodeUtf8, encodeUtf8 } from "./bytes.ts";
import {
  type Budget,
  budgetOf,
  failed,
  type JsonLimit,
  type JsonLimits,
  limitOf,
  skipBlank,
  skipColon,
  skipString,
  skipValue,
  wideScan,
} from "./json-skip.ts";

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A member of an object in JSON text, as ranges of bytes; each end is exclusive, and the key's quotes are inside. */
export interface JsonMember {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** A hash of the name. Different names almost always have different hashes. */
  readonly hash: number;
  /** The decoded name, if the key has escapes or is not ASCII. Otherwise the bytes of the key are the name. */
  readonly name: string | undefined;
}

/** Reads a value for {@link scanMembers}. Returns the end of the value, or one of `failed`. */
export type ReadValue = (keyStart: number, keyEnd: number, valueStart: number) => number;

/**
 * Finds the members of the top-level object in the bytes of a JSON text (RFC 8259), in one pass and without recursion.
 * Returns them in order, none for any other value, and the number of values in the text. The result for a text that is not
 * JSON is undefined, but the scan always ends.
 */
export function scanJson(
  bytes: Uint8Array,
  limits: JsonLimits = {},
): { readonly members: readonly JsonMember[]; readonly values: number } | { readonly exceeded: JsonLimit } {
  const budget = budgetOf(limits);
  const maxValues = budget.values;
  const members: JsonMember[] = [];
  const end = scanRoot(bytes, budget, (start) =>
    scanMembers(bytes, start, budget, (keyStart, keyEnd, valueStart) => {
      const valueEnd = skipValue(bytes, valueStart, budget);
      if (valueEnd >= 0) members.push(memberOf(bytes, keyStart, keyEnd, valueStart, valueEnd));
      return valueEnd;
    }),
  );
  const exceeded = limitOf(end);
  return exceeded === undefined ? { members, values: maxValues - budget.values } : { exceeded };
}

/**
 * True for a text that is nested too deeply or has too many values to be parsed as JSON: JSON.parse blocks the process for
 * seconds on nothing but brackets.
 */
export function exceedsJsonLimits(text: string): boolean {
  // Inside brackets the text is one nested value, so that the scan does not list its members.
  return "exceeded" in scanJson(encodeUtf8(`[${text}]`), { maxDepth: maxTextDepth + 1 });
}

const maxTextDepth = 100;

/** Scans the top-level value, and calls `readObject` with its start if it is an object. Returns its end, or one of `failed`. */
export function scanRoot(bytes: Uint8Array, budget: Budget, readObject: (start: number) => number): number {
  const start = skipBlank(bytes, 0);
  budget.values -= 1;
  wideScan.open(bytes);
  const end = bytes[start] === openBrace ? readObject(start) : skipValue(bytes, start, budget);
  wideScan.close();
  return end >= 0 && skipBlank(bytes, end) < bytes.length ? failed.syntax : end;
}

/** Scans the object at `start` member by member. Returns its end, or one of `failed`. */
export function scanMembers(bytes: Uint8Array, start: number, budget: Budget, readValue: ReadValue): number {
  const full = openContainer(budget);
  if (full < 0) return full;
  let at = skipBlank(bytes, start + 1);
  let isOpen = bytes[at] !== closeBrace;
  for (let count = 1; isOpen; count++) {
    if (count > budget.members) return failed.members;
    if (--budget.values < 0) return failed.values;
    if (bytes[at] !== quote) return failed.syntax;
    const keyEnd = skipString(bytes, at);
    const valueStart = keyEnd < 0 ? keyEnd : skipColon(bytes, keyEnd);
    const valueEnd = valueStart < 0 ? valueStart : readValue(at, keyEnd, valueStart);
    if (valueEnd < 0) return valueEnd;
    at = skipBlank(bytes, valueEnd);
    isOpen = bytes[at] === comma;
    if (isOpen) at = skipBlank(bytes, at + 1);
  }
  return closeContainer(bytes, at, closeBrace, budget);
}

/**
 * Scans the object or array at `start` like {@link scanMembers} and {@link scanElements}, with a reader that works in steps of
 * a generator. An element has no key: its range is empty.
 */
export function* scanInSteps(
  bytes: Uint8Array,
  start: number,
  budget: Budget,
  readValue: (...ranges: Parameters<ReadValue>) => Generator<undefined, number>,
): Generator<undefined, number> {
  const isObject = bytes[start] === openBrace;
  const closing = isObject ? closeBrace : closeBracket;
  const full = openContainer(budget);
  if (full < 0) return full;
  let at = skipBlank(bytes, start + 1);
  let isOpen = bytes[at] !== closing;
  for (let count = 1; isOpen; count++) {
    if (isObject && count > budget.members) return failed.members;
    if (--budget.values < 0) return failed.values;
    if (isObject && bytes[at] !== quote) return failed.syntax;
    const keyEnd = isObject ? skipString(bytes, at) : at;
    const valueStart = isObject && keyEnd >= 0 ? skipColon(bytes, keyEnd) : keyEnd;
    const valueEnd = valueStart < 0 ? valueStart : yield* readValue(at, keyEnd, valueStart);
    if (valueEnd < 0) return valueEnd;
    at = skipBlank(bytes, valueEnd);
    isOpen = bytes[at] === comma;
    if (isOpen) at = skipBlank(bytes, at + 1);
  }
  return closeContainer(bytes, at, closing, budget);
}

/** Takes an object or array from the budget. Its depth is returned to the budget at its end. Negative if the budget is used up. */
export function openContainer(budget: Budget): number {
  if (budget.depth === 0) return failed.depth;
  if (--budget.containers < 0) return failed.containers;
  budget.depth -= 1;
  return 0;
}

/** Returns the end of an object or array whose closing bracket is expected at `at`. */
export function closeContainer(bytes: Uint8Array, at: number, bracket: number, budget: Budget): number {
  budget.depth += 1;
  return bytes[at] === bracket ? at + 1 : failed.syntax;
}

/** Scans the array at `start` element by element, and reads each with `readElement`. Returns its end, or one of `failed`. */
export function scanElements(
  bytes: Uint8Array,
  start: number,
  budget: Budget,
  readElement: (start: number, index: number) => number,
): number {
  const full = openContainer(budget);
  if (full < 0) return full;
  let at = skipBlank(bytes, start + 1);
  let isOpen = bytes[at] !== closeBracket;
  for (let index = 0; isOpen; index++) {
    if (--budget.values < 0) return failed.values;
    const end = readElement(at, index);
    if (end < 0) return end;
    at = skipBlank(bytes, end);
    isOpen = bytes[at] === comma;
    if (isOpen) at = skipBlank(bytes, at + 1);
  }
  return closeContainer(bytes, at, closeBracket, budget);
}

/** The name of a member of the text. */
export function nameOf(bytes: Uint8Array, member: JsonMember): string {
  return member.name ?? decodeUtf8(bytes.subarray(member.keyStart + 1, member.keyEnd - 1)) ?? "";
}

/** True if the name of a member is `name`. Faster than decoding it. */
export function isNamed(bytes: Uint8Array, member: JsonMember, name: string): boolean {
  if (member.name !== undefined) return member.name === name;
  return isKey(bytes, member.keyStart, member.keyEnd, name);
}

/** Returns the last of these members with this name, as JSON.parse does. */
export function findNamed(bytes: Uint8Array, members: readonly JsonMember[], name: string): JsonMember | undefined {
  const index = indexOfNamed(bytes, members, name);
  return index < 0 ? undefined : members[index];
}

/** Returns the index of the last of these members with this name, or -1. */
export function indexOfNamed(bytes: Uint8Array, members: readonly JsonMember[], name: string): number {
  const hash = hashName(name);
  for (let i = members.length - 1; i >= 0; i--) {
    const member = members[i];
    if (member?.hash === hash && isNamed(bytes, member, name)) return i;
  }
  return -1;
}

/** True if the bytes of a quoted key equal an ASCII name. */
export function isKey(bytes: Uint8Array, keyStart: number, keyEnd: number, name: string): boolean {
  const start = keyStart + 1;
  if (keyEnd - 1 - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if (bytes[start + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** Returns the hash of a member with this name. */
export function hashName(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return hash;
}

/** Creates a member from its ranges. */
export function memberOf(
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
      const name = decodeKey(bytes, keyStart, keyEnd);
      return { keyStart, keyEnd, valueStart, valueEnd, hash: hashName(name), name };
    }
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return { keyStart, keyEnd, valueStart, valueEnd, hash, name: undefined };
}

/** Decodes the name of a quoted key. Returns an empty name for invalid JSON. */
export function decodeKey(bytes: Uint8Array, keyStart: number, keyEnd: number): string {
  try {
    return String(JSON.parse(decodeUtf8(bytes.subarray(keyStart, keyEnd)) ?? '""'));
  } catch {
    return "";
  }
}

/**
 * Returns the array that a member has as JSON, with what `rewrite` returns for the JSON of each of its elements; undefined
 * leaves an element out. One that is returned as it was sent keeps all digits of its numbers.
 */
export function rewriteElements(
  bytes: Uint8Array,
  { valueStart }: JsonMember,
  rewrite: (json: string, index: number) => string | undefined,
): string {
  const kept: string[] = [];
  const budget = budgetOf({});
  scanElements(bytes, valueStart, budget, (start, index) => {
    const end = skipValue(bytes, start, budget);
    const json = end > 0 ? rewrite(decodeUtf8(bytes.subarray(start, end)) ?? "null", index) : undefined;
    if (json !== undefined) kept.push(json);
    return end;
  });
  return `[${kept.join(",")}]`;
}

/** Returns the array that a member has as JSON, with some of its elements. Each is as it was sent. */
export const keepElements = (bytes: Uint8Array, member: JsonMember, isKept: (index: number) => boolean): string =>
  rewriteElements(bytes, member, (json, index) => (isKept(index) ? json : undefined));
