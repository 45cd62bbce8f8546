import { problemsOf } from "../options/problems.ts";
import { limitsSchema } from "./limits-schema.ts";

export { longestWindowSeconds } from "./limits-schema.ts";

/** Returns the problems of the limits of a key or a plan. Each names the member and says what to do. */
export const checkLimits = (name: string, limits: unknown): readonly string[] => problemsOf(limitsSchema, limits, name);
