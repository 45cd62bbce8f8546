import type { ModelTarget } from "../ports/model.ts";

/**
 * Returns the rank of a target for a conversation: the lowest is tried first. It is a weighted rendezvous hash, so that all
 * processes agree, and a target that is added or removed moves only its own conversations. Follows
 * https://datatracker.ietf.org/doc/html/draft-ietf-bess-weighted-hrw
 */
export function affinityRank(
  conversation: string,
  { identity, weight }: Pick<ModelTarget, "identity" | "weight">,
): number {
  return -Math.log((hashOf(`${conversation}\0${identity}`) + 0.5) / hashes) / weight;
}

/** The number of different hashes. */
const hashes = 2 ** 32;

/** MurmurHash3_x86_32 with one block for each UTF-16 unit. Follows https://github.com/aappleby/smhasher */
function hashOf(text: string): number {
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
