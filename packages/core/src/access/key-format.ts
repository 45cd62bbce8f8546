const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const prefixShape = /^[A-Za-z0-9](?:[A-Za-z0-9_]{0,30}[A-Za-z0-9])?$/;
const base62Shape = /^[0-9A-Za-z]{38}$/;

/** A key with a valid format and checksum. Only its store knows whether it exists. */
export interface ParsedKey {
  readonly text: string;
  /** The last four characters, which may be shown. */
  readonly lastFour: string;
}

/**
 * Generates a key of the form `<prefix>_<32 base62><6 base62 CRC-32>`, with 190 random bits. The prefix has 1 to 32
 * letters, digits or inner underscores. Throws a RangeError for any other.
 */
export function generateKey(prefix: string): string {
  const unsigned = `${checkedPrefix(prefix)}_${randomBase62(randomLength)}`;
  return unsigned + checksum(unsigned);
}

/** Parses a presented key. Returns undefined unless prefix, length, characters and checksum are valid. */
export function readKey(text: string, prefix: string): ParsedKey | undefined {
  const start = prefix.length + 1;
  if (text.length !== start + randomLength + checksumLength || !text.startsWith(`${prefix}_`)) return undefined;
  if (!base62Shape.test(text.slice(start))) return undefined;
  const unsigned = text.slice(0, -checksumLength);
  return text.endsWith(checksum(unsigned)) ? { text, lastFour: text.slice(-4) } : undefined;
}

/** Returns the prefix if it is valid. Throws a RangeError otherwise. */
export function checkedPrefix(prefix: string): string {
  if (prefixShape.test(prefix)) return prefix;
  throw new RangeError(
    "The prefix of API keys must have 1 to 32 letters, digits or inner underscores, such as tg or acme_live.",
  );
}

function checksum(unsigned: string): string {
  let rest = crc32(unsigned);
  let digits = "";
  for (let index = 0; index < checksumLength; index++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  const bytes = new Uint8Array(length * 2);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(bytes)) {
      // 248 is the largest multiple of 62 in a byte. Values from it on would make the first digits more likely.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** Returns the CRC-32 of IEEE 802.3 (as in gzip and PNG) of an ASCII text, as an unsigned number. */
export function crc32(ascii: string): number {
  let sum = 0xffffffff;
  for (let index = 0; index < ascii.length; index++) {
    sum = (sum >>> 8) ^ (table[(sum ^ ascii.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
