import { WideScan } from "./wide-scan.ts";

/** A limit that a JSON text can exceed. */
export type JsonLimit = "depth" | "members" | "containers" | "values";

/** The limits of a JSON text. */
export interface JsonLimits {
  /** Maximum depth of nested objects and arrays: 100. */
  readonly maxDepth?: number;
  /** Maximum members of one object: 50,000. */
  readonly maxMembers?: number;
  /** Maximum number of objects and arrays in total: 100,000. */
  readonly maxContainers?: number;
  /** Maximum number of values in total, including objects and arrays: 1,000,000. */
  readonly maxValues?: number;
}

/** The remaining budget for the part of a text that has not been scanned. */
export interface Budget {
  depth: number;
  readonly members: number;
  containers: number;
  values: number;
}

/** The budget of a whole text. */
export const budgetOf = (limits: JsonLimits): Budget => ({
  depth: limits.maxDepth ?? 100,
  members: limits.maxMembers ?? 50_000,
  containers: limits.maxContainers ?? 100_000,
  values: limits.maxValues ?? 1_000_000,
});

const limitNames: readonly JsonLimit[] = ["depth", "members", "containers", "values"];

/** The values that functions of this file return instead of an end if the text exceeds a limit or is not JSON. */
export const failed = { depth: -1, members: -2, containers: -3, values: -4, syntax: -5 } as const;

/** Returns the limit that a negative end means, or undefined if the text is not JSON. */
export const limitOf = (end: number): JsonLimit | undefined => limitNames[-1 - end];

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const hyphen = 0x2d;
const point = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterE = 0x65;
const letterF = 0x66;
const letterN = 0x6e;
const letterT = 0x74;
const letterU = 0x75;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const caseBit = 0x20;

/** Returns the index of the first byte at or after `from` that is not white space. */
export function skipBlank(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && isBlank(bytes[i] ?? 0)) i++;
  return i;
}

/** RFC 8259, section 2. */
const isBlank = (byte: number): boolean =>
  byte <= space && (byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09);

/** Returns the end of the value at `from`, or one of {@link failed}. The caller has already taken the value from the budget. */
export function skipValue(bytes: Uint8Array, from: number, budget: Budget): number {
  const first = bytes[from];
  if (first === quote) return skipString(bytes, from);
  return first === openBrace || first === openBracket ? skipNested(bytes, from, budget) : skipScalar(bytes, from);
}

/** For each open container: whether it is an object, and how many members it has so far. Shared, since a scan is synchronous. */
const areObjects: boolean[] = [];
const counts: number[] = [];

function skipNested(bytes: Uint8Array, from: number, budget: Budget): number {
  const { depth: maxDepth, members: maxMembers } = budget;
  let { containers, values } = budget;
  let depth = 0;
  let isObject = false;
  let count = 0;
  let at = from;
  do {
    // A value starts here.
    const first = bytes[at];
    let isOpen = false;
    if (first === openBrace || first === openBracket) {
      if (depth === maxDepth) return failed.depth;
      if (--containers < 0) return failed.containers;
      areObjects[depth] = isObject;
      counts[depth++] = count;
      isObject = first === openBrace;
      count = 0;
      at = skipBlank(bytes, at + 1);
      isOpen = bytes[at] !== (isObject ? closeBrace : closeBracket);
    } else {
      at = first === quote ? skipString(bytes, at) : skipScalar(bytes, at);
      if (at < 0) return at;
      at = skipBlank(bytes, at);
    }
    // After a value, each container ends or continues.
    while (!isOpen) {
      if (bytes[at] === comma) {
        at = skipBlank(bytes, at + 1);
        break;
      }
      if (bytes[at] !== (isObject ? closeBrace : closeBracket)) return failed.syntax;
      isObject = areObjects[--depth] === true;
      count = counts[depth] ?? 0;
      if (depth === 0) {
        budget.containers = containers;
        budget.values = values;
        return at + 1;
      }
      at = skipBlank(bytes, at + 1);
    }
    if (--values < 0) return failed.values;
    if (isObject) {
      if (++count > maxMembers) return failed.members;
      at = skipKey(bytes, at);
    }
  } while (at >= 0);
  return at;
}

/** Returns where the value of the member with its key at `from` starts, or one of {@link failed}. */
function skipKey(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== quote) return failed.syntax;
  const end = skipString(bytes, from);
  return end < 0 ? end : skipColon(bytes, end);
}

/** Returns where the value after a key that ends here starts, or one of {@link failed}. */
export function skipColon(bytes: Uint8Array, keyEnd: number): number {
  const at = skipBlank(bytes, keyEnd);
  return bytes[at] === colon ? skipBlank(bytes, at + 1) : failed.syntax;
}

/** Scans the strings of a long text that `scanRoot` scans. */
export const wideScan: WideScan = new WideScan();

/** Returns the end of the string whose opening quote is at `from`, or one of {@link failed}. */
export function skipString(bytes: Uint8Array, from: number): number {
  if (wideScan.scans(bytes)) {
    const end = wideScan.skipString(from);
    return end < 0 ? failed.syntax : end;
  }
  for (let i = from + 1; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    // The fast path: most characters are neither quotes nor escapes.
    if (byte > backslash) continue;
    if (byte === quote) return i + 1;
    if (byte < space) return failed.syntax;
    if (byte !== backslash) continue;
    i += 1;
    if (escapable[bytes[i] ?? 0] === 1) continue;
    if (!isUnicodeEscape(bytes, i)) return failed.syntax;
    i += 4;
  }
  return failed.syntax;
}

const escapes: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (sign) => sign.charCodeAt(0)));
/** 1 for a byte that is valid after a backslash, except the `u` that four digits follow. */
export const escapable = Uint8Array.from({ length: 256 }, (_, byte) => (escapes.has(byte) ? 1 : 0));

/** True for a `u` at `at` that four hexadecimal digits follow. */
export function isUnicodeEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== letterU) return false;
  for (let i = at + 1; i < at + 5; i++) if (!isHexDigit(bytes[i] ?? 0)) return false;
  return true;
}

/** Returns the UTF-16 code unit of four hexadecimal digits. */
export function codeUnitAt(bytes: Uint8Array, start: number): number {
  let codeUnit = 0;
  for (let i = start; i < start + 4; i++) codeUnit = codeUnit * 16 + hexDigit(bytes[i] ?? 0);
  return codeUnit;
}

const hexDigit = (byte: number): number => (byte <= 0x39 ? byte - zero : (byte | caseBit) - 0x57);

const isDigit = (byte: number): boolean => byte >= zero && byte <= 0x39;

function isHexDigit(byte: number): boolean {
  const letter = byte | caseBit;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}

/** The end of a number, true, false or null, or one of {@link failed}. */
function skipScalar(bytes: Uint8Array, from: number): number {
  switch (bytes[from]) {
    case letterT:
      return skipWord(bytes, from, "true");
    case letterF:
      return skipWord(bytes, from, "false");
    case letterN:
      return skipWord(bytes, from, "null");
    default:
      return skipNumber(bytes, from);
  }
}

function skipWord(bytes: Uint8Array, from: number, word: string): number {
  for (let i = 1; i < word.length; i++) if (bytes[from + i] !== word.charCodeAt(i)) return failed.syntax;
  return from + word.length;
}

/** RFC 8259, section 6. */
function skipNumber(bytes: Uint8Array, from: number): number {
  const whole = bytes[from] === hyphen ? from + 1 : from;
  let at = bytes[whole] === zero ? whole + 1 : skipDigits(bytes, whole);
  if (at >= 0 && bytes[at] === point) at = skipDigits(bytes, at + 1);
  if (at < 0 || ((bytes[at] ?? 0) | caseBit) !== letterE) return at;
  const sign = bytes[at + 1];
  return skipDigits(bytes, sign === plus || sign === hyphen ? at + 2 : at + 1);
}

const plus = 0x2b;

function skipDigits(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && isDigit(bytes[i] ?? 0)) i++;
  return i === from ? failed.syntax : i;
}
