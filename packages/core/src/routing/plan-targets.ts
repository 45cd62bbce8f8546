import type { ModelTarget } from "../ports/model.ts";
import { murmurHash } from "../wire/murmur-hash.ts";
import type { TargetHealth } from "./target-health.ts";

/** Which targets a request prefers within one priority. */
export interface TargetPreference {
  /** Defined for a target that speaks the dialect of the request, which is preferred. */
  nativeMethod(target: ModelTarget): unknown;
  /** The name of the conversation, which stays at one target. Undefined if the request names none. */
  conversation(): string | undefined;
}

/**
 * Returns the targets in the order in which one request tries them: by priority; within one, those that speak its dialect
 * first, and then by the hash of its conversation, or at random, by weight. Targets whose breaker is open are left out. If all are open, it returns the one whose
 * last failure is oldest.
 */
export function planTargets(
  targets: readonly ModelTarget[],
  health: Pick<TargetHealth, "admits" | "failedAt">,
  preference: TargetPreference,
  now: number,
): ModelTarget[] {
  const admitted = targets.filter((target) => health.admits(target, now));
  if (admitted.length === 0) return leastRecentlyFailed(targets, health);
  const conversation = admitted.length > 1 ? preference.conversation() : undefined;
  const ranked = admitted.map((target) => ({
    target,
    dialectRank: preference.nativeMethod(target) === undefined ? 1 : 0,
    rank: conversation === undefined ? randomRank(target) : affinityRank(conversation, target),
  }));
  ranked.sort((a, b) => a.target.priority - b.target.priority || a.dialectRank - b.dialectRank || a.rank - b.rank);
  return ranked.map(({ target }) => target);
}

function leastRecentlyFailed(targets: readonly ModelTarget[], health: Pick<TargetHealth, "failedAt">): ModelTarget[] {
  return [...targets].sort((a, b) => health.failedAt(a) - health.failedAt(b)).slice(0, 1);
}

/** Sorting by exponential random numbers gives a weighted random order (Efraimidis and Spirakis, 2006). */
const randomRank = ({ weight }: ModelTarget): number => -Math.log(1 - Math.random()) / weight;

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
