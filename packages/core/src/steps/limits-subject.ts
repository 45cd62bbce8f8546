import { limitsIdOf } from "../access/rotation.ts";
import type { Caller } from "../request/paid-call.ts";

/**
 * Returns the id by which the limits of a caller are counted: one of its account in its plan, if the plan counts so and the key
 * has no limits of its own, and otherwise that of the key's chain of rotations.
 */
export const limitsSubjectOf = ({ key, plan }: Pick<Caller, "key" | "plan">): string =>
  plan.limitsPer === "account" && key.limits === undefined
    ? `account:${encodeURIComponent(plan.id)}:${key.account}`
    : limitsIdOf(key);
