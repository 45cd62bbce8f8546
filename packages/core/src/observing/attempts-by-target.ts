import type { ModelTarget } from "../ports/model.ts";
import type { TargetAttempts } from "../ports/usage-store.ts";

/** An attempt that failed, with the class of its failure. */
export interface FailedAttempt {
  readonly target: ModelTarget;
  readonly failure: string;
}

/** Counts attempts by their target: `tried` has the target of each attempt, and `failures` those that failed. */
export function attemptsByTarget(
  tried: readonly ModelTarget[],
  failures: readonly FailedAttempt[],
): readonly TargetAttempts[] {
  return [...new Set(tried)].map((target) => {
    const failed: Record<string, number> = {};
    for (const { failure } of failures.filter((each) => each.target === target))
      failed[failure] = (failed[failure] ?? 0) + 1;
    const { provider, upstreamModel } = target;
    return { provider: provider.name, upstreamModel, attempts: tried.filter((each) => each === target).length, failed };
  });
}
