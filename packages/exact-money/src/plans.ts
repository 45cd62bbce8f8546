import type { SuitePlan } from "./driver.ts";

/** The most that an account of the plan "capped" may spend, in nano-units. */
export const cappedSpend = 20_000_000n;

/** The plans of the suite. */
export const plans: readonly SuitePlan[] = [{ id: "standard" }, { id: "capped", spend: cappedSpend }];
