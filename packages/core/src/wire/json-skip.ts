import { nodeBuffer } from "./platform.ts";

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const bracketBit = 0x20;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A limit that a JSON text can exceed. */
export type JsonLimit = "depth" | "members" | "containers" | "values";

/** How much a JSON text may hold. */
export interface JsonLimits {
  /** How deep objects and arrays may be nested; 100. */
  readonly maxDepth?: number;
  /** How many members one object may have; 50,000. */
  readonly maxMembers?: number;
  /** How many objects and arrays there may be in all; 100,000. */
  readonly maxContainers?: number;
  /** How many values there may be in all, objects and arrays included; 1,000,000. */
  readonly maxValues?: number;
}

/** What the part of a text that has not been scanned may still hold. */
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

/** What functions of this file return instead of an end when the text exceeds a limit. */
export const exceeds = { depth: -1, members: -2, containers: -3, values: -4 } as const;

/** The limit that a negative end stands for. */
export const limitOf = (end: number): JsonLimit => limitNames[-1 - end] ?? "depth";

/** The index of the first byte from `from` on that is not white space. */
export function skipBlank(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && (bytes[i] ?? 0) <= 0x20) i++;
  return i;
}

/** The end of the value at `from`, or one of {@link exceeds}. The value itself has been taken from the budget. */
export function skipValue(bytes: Uint8Array, from: number, budget: Budget): number {
  const first = bytes[from] ?? 0;
  if (first === quote) return skipString(bytes, from);
  if ((first | bracketBit) === openBrace) return skipNested(bytes, from, budget);
  let i = from;
  for (; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= 0x20 || byte === comma || (byte | bracketBit) === closeBrace) break;
  }
  return i;
}

/** What a byte is to nesting: one look-up in a table for each, since most are nothing. */
const other = 0;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote || byte === comma) return byte;
  const bracket = byte | bracketBit;
  return bracket === openBrace || bracket === closeBrace ? bracket : other;
});

/** Where the commas of an array are counted from, so that they never reach the limit of an object's members. */
const arrayStart = -(2 ** 30);

/** The commas so far of each container that is open around the present one; reused, since a scan never waits. */
const commasAround: number[] = [];

function skipNested(bytes: Uint8Array, from: number, budget: Budget): number {
  const length = bytes.length;
  const { depth: maxDepth, members: maxMembers } = budget;
  let { containers, values } = budget;
  let depth = 0;
  let commas = 0;
  let i = from;
  for (; i < length; i++) {
    const kind = kinds[bytes[i] ?? 0];
    if (kind === other) continue;
    if (kind === quote) {
      i = skipString(bytes, i) - 1;
    } else if (kind === comma) {
      if (++commas >= maxMembers) return exceeds.members;
      if (--values < 0) return exceeds.values;
    } else if (kind === openBrace) {
      commasAround[depth++] = commas;
      if (depth > maxDepth) return exceeds.depth;
      if (--containers < 0) return exceeds.containers;
      commas = bytes[i] === openBrace ? 0 : arrayStart;
      i = skipBlank(bytes, i + 1) - 1;
      if (((bytes[i + 1] ?? 0) | bracketBit) !== closeBrace && --values < 0) return exceeds.values;
    } else {
      if (--depth === 0) break;
      commas = commasAround[depth] ?? 0;
    }
  }
  budget.containers = containers;
  budget.values = values;
  return Math.min(i + 1, length);
}

/** Bytes of a string that are read one by one before a search for its end pays. */
const shortString = 12;

/** The end of the string whose opening quote stands at `from`. */
export function skipString(bytes: Uint8Array, from: number): number {
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
