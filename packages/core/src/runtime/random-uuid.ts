const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
const digits = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
/** Where the digits are in the form: two for each of 16 bytes. */
const places = Array.from(form, (sign, at) => (sign === "x" ? at : -1)).filter((at) => at >= 0);
const bytesPerId = places.length / 2;

/** Random bytes for 128 ids, which cost about as much to draw as those for one. */
const random = new Uint8Array(128 * bytesPerId);
let next = random.length;
/** The UTF-16 codes of the id that is written. */
const codes = Array.from(form, (sign) => sign.charCodeAt(0));

/**
 * Returns a random UUID (RFC 9562, version 4) like `crypto.randomUUID`. Node joins one from twenty pieces, which stay in memory
 * as long as the id; this one is a single text.
 */
export function randomUuid(): string {
  if (next === random.length) {
    crypto.getRandomValues(random);
    next = 0;
  }
  for (let i = 0; i < bytesPerId; i++) {
    const byte = withVersion(random[next++] ?? 0, i);
    codes[places[2 * i] ?? 0] = digits[byte >> 4] ?? 0;
    codes[places[2 * i + 1] ?? 0] = digits[byte & 0x0f] ?? 0;
  }
  return String.fromCharCode(...codes);
}

/** RFC 9562, sections 4.1 and 4.2: the version is in byte 6, and the variant in byte 8. */
function withVersion(byte: number, at: number): number {
  if (at === 6) return (byte & 0x0f) | 0x40;
  return at === 8 ? (byte & 0x3f) | 0x80 : byte;
}
