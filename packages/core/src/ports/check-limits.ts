import { problemsOf } from "../options/problems.ts";
import type { Limits } from "./key-store.ts";
import { limitsSchema } from "./limits-schema.ts";

export { longestWindowSeconds } from "./limits-schema.ts";

/** The problems of a key's or a plan's limits, each with the member's name and the cure. */
export const checkLimits = (name: string, limits: unknown): readonly string[] => problemsOf(limitsSchema, limits, name);

/** The limits themselves; throws a RangeError that lists every problem of limits that cannot be used. */
export function checkedLimits(limits: Limits): Limits {
  const problems = checkLimits("limits", limits);
  if (problems.length > 0) throw new RangeError(problems.join(" "));
  return limits;
}
