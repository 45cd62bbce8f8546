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
