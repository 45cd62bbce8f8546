import type { ModelTarget } from "../ports/model.ts";
import { murmurHash } from "../wire/murmur-hash.ts";

/**
 * Returns the rank of a target for a conversation: the lowest is tried first. It is a weighted rendezvous hash, so that all
 * processes agree, and a target that is added or removed moves only its own conversations. Follows
 * https://datatracker.ietf.org/doc/html/draft-ietf-bess-weighted-hrw
 */
export function affinityRank(
  conversation: string,
  { identity, weight }: Pick<ModelTarget, "identity" | "weight">,
): number {
  return -Math.log((murmurHash(`${conversation}\0${identity}`) + 0.5) / hashes) / weight;
}

/** The number of different hashes. */
const hashes = 2 ** 32;
