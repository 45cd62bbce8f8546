import { problemsOf } from "../options/problems.ts";
import type { Limits } from "./key-store.ts";
import { limitsSchema } from "./limits-schema.ts";

export { longestWindowSeconds } from "./limits-schema.ts";

/** Returns the problems of the limits of a key or a plan. Each names the member and says what to do. */
export const checkLimits = (name: string, limits: unknown): readonly string[] => problemsOf(limitsSchema, limits, name);

/** Returns the limits if they are valid, and otherwise throws a RangeError that lists every problem. */
export function checkedLimits(limits: Limits): Limits {
  const problems = checkLimits("limits", limits);
  if (problems.length > 0) throw new RangeError(problems.join(" "));
  return limits;
}
