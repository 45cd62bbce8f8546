/** MurmurHash3_x86_32 with one block for each UTF-16 unit. Follows https://github.com/aappleby/smhasher */
export function murmurHash(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) {
    const block = Math.imul(rotate(Math.imul(text.charCodeAt(i), 0xcc9e2d51), 15), 0x1b873593);
    hash = (Math.imul(rotate(hash ^ block, 13), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
