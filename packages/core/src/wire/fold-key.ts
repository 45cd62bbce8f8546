import { codeUnitAt } from "./json-skip.ts";

/** A key in the normalized form that all its spellings share. */
interface FoldedKey {
  /** Its letters in lower case, without `_` and `-`. Only the first `length` are valid, until the next key is folded. */
  readonly codes: Uint8Array;
  readonly length: number;
  readonly hash: number;
}

/** Longer than any inspected name. Of a longer key only this many letters can be compared by their end. */
const maxCodes = 1_024;
const folded = { codes: new Uint8Array(maxCodes), length: 0, hash: 0 };

/**
 * Folds an ASCII name with its quotes in the bytes of a JSON text. Parsers written in Go read `MODEL` as `model`, and
 * those of Protocol Buffers read `serviceTier` as `service_tier`. Returns undefined for a key that spells no ASCII name.
 */
export function foldKey(bytes: Uint8Array, keyStart: number, keyEnd: number): FoldedKey | undefined {
  const { codes } = folded;
  const end = keyEnd - 1;
  let length = 0;
  let hash = 0;
  for (let i = keyStart + 1; i < end; i++) {
    let code = bytes[i] ?? 0;
    if (code === backslash || code > 0x7f) {
      const { unit, size } = readUnusual(bytes, i);
      if (unit < 0) return undefined;
      code = unit;
      i += size - 1;
    }
    if (code === underscore || code === hyphen) continue;
    if (code >= upperA && code <= upperZ) code |= caseBit;
    if (length === maxCodes) return undefined;
    codes[length++] = code;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  folded.length = length;
  folded.hash = hash;
  return folded;
}

/** True if the key is a spelling of the name. The name must be folded too. */
export function isSpelling({ codes, length }: FoldedKey, name: string): boolean {
  return length === name.length && endsIn({ codes, length }, name);
}

/** True if the key ends with the text. The text must be folded too. */
export function endsIn({ codes, length }: Pick<FoldedKey, "codes" | "length">, text: string): boolean {
  const start = length - text.length;
  if (start < 0) return false;
  for (let i = text.length - 1; i >= 0; i--) if (codes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** True if a quoted key is exactly the ASCII name, with or without escapes. */
export function isWritten(bytes: Uint8Array, keyStart: number, keyEnd: number, name: string): boolean {
  let at = keyStart + 1;
  for (let i = 0; i < name.length; i++) {
    let code = bytes[at] ?? 0;
    let size = 1;
    if (code === backslash) ({ unit: code, size } = readUnusual(bytes, at));
    if (code !== name.charCodeAt(i)) return false;
    at += size;
  }
  return at === keyEnd - 1;
}

/** Returns a name in the form that {@link foldKey} returns for its spellings. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");

const none = { unit: -1, size: 1 };

/**
 * Reads an escaped or non-ASCII character. Returns its length in bytes, and an ASCII code, or -1 for any other character.
 * Unicode case folding maps two non-ASCII characters to ASCII letters.
 */
function readUnusual(bytes: Uint8Array, at: number): typeof none {
  if (bytes[at] === backslash) return bytes[at + 1] === lowerU ? readEscape(bytes, at) : none;
  if (bytes[at] === 0xc5 && bytes[at + 1] === 0xbf) return { unit: upperS, size: 2 };
  if (bytes[at] === 0xe2 && bytes[at + 1] === 0x84 && bytes[at + 2] === 0xaa) return { unit: upperK, size: 3 };
  return none;
}

function readEscape(bytes: Uint8Array, at: number): typeof none {
  const code = codeUnitAt(bytes, at + 2);
  // Returned as upper case, so that it does not count as the usual spelling.
  if (code === longS) return { unit: upperS, size: 6 };
  if (code === kelvin) return { unit: upperK, size: 6 };
  return code <= 0x7f ? { unit: code, size: 6 } : none;
}

const backslash = 0x5c;
const underscore = 0x5f;
const hyphen = 0x2d;
const upperA = 0x41;
const upperZ = 0x5a;
const upperK = 0x4b;
const upperS = 0x53;
const lowerU = 0x75;
const caseBit = 0x20;
const longS = 0x17f;
const kelvin = 0x212a;
