/** How many components of the vector each piece changes. */
const spread = 16;

/**
 * Returns a vector of length 1 for a text in pieces, such as words. Texts that share many pieces get similar vectors.
 * Each piece is hashed to a few components and signs (https://en.wikipedia.org/wiki/Feature_hashing).
 */
export function embed(pieces: readonly string[], dimensions: number): readonly number[] {
  const vector: number[] = Array.from({ length: dimensions }, () => 0);
  const add = (hash: number, amount: number) => {
    const index = (hash >>> 1) % dimensions;
    vector[index] = (vector[index] ?? 0) + (hash & 1 ? amount : -amount);
  };
  for (const piece of pieces) {
    let hash = hashOf(piece);
    for (let round = 0; round < spread; round += 1) {
      add(hash, 1);
      hash = mix(hash + 0x9e3779b9);
    }
  }
  // The other amounts are whole numbers, so this component cannot become zero.
  add(hashOf(pieces.join(" ")), 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => Math.round((value / length) * 1e6) / 1e6);
}

/** FNV-1a, mixed so that similar texts differ in all bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
