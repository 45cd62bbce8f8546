import type fc from "fast-check";
import { scriptProperty } from "../script.ts";
import type { Tally } from "../tally.ts";
import { LimiterCheck, type LimiterUnderTest } from "./limiter-check.ts";
import { formatLimiterStep, limiterStep } from "./limiter-step.ts";

/** The property that the model allows every result of a limiter. Each script uses new subjects. */
export function limiterProperty(next: () => LimiterUnderTest, tally: Tally): fc.IAsyncProperty<unknown> {
  return scriptProperty(limiterStep, formatLimiterStep, async (run) => new LimiterCheck(run, next(), tally));
}
