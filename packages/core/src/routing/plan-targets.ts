import type { ModelTarget } from "../ports/model.ts";
import type { TargetHealth } from "./target-health.ts";

/**
 * The targets in the order in which one request tries them: by priority, those of the same priority at random by weight,
 * without those whose breaker is open. When all are open, the one that failed the longest ago.
 */
export function planTargets(
  targets: readonly ModelTarget[],
  health: Pick<TargetHealth, "admits" | "failedAt">,
  now: number,
): ModelTarget[] {
  const admitted = targets.filter((target) => health.admits(target, now));
  if (admitted.length === 0) return leastRecentlyFailed(targets, health);
  const drawn = admitted.map((target) => ({ target, lot: drawLot(target) }));
  drawn.sort((one, other) => one.target.priority - other.target.priority || one.lot - other.lot);
  return drawn.map(({ target }) => target);
}

function leastRecentlyFailed(targets: readonly ModelTarget[], health: Pick<TargetHealth, "failedAt">): ModelTarget[] {
  return [...targets].sort((one, other) => health.failedAt(one) - health.failedAt(other)).slice(0, 1);
}

/** Of exponential lots, the least is drawn as often as its weight says, and so is each next (Efraimidis and Spirakis, 2006). */
const drawLot = ({ weight }: ModelTarget): number => -Math.log(1 - Math.random()) / weight;
