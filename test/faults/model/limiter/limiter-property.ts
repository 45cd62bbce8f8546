import type fc from "fast-check";
import { scriptProperty } from "../script.ts";
import type { Tally } from "../tally.ts";
import { LimiterCheck, type LimiterUnderTest } from "./limiter-check.ts";
import { limiterStep, tellLimiterStep } from "./limiter-step.ts";

/** That every answer of a limiter is one that the model allows; each script has subjects of its own. */
export function limiterProperty(next: () => LimiterUnderTest, tally: Tally): fc.IAsyncProperty<unknown> {
  return scriptProperty(limiterStep, tellLimiterStep, async (run) => new LimiterCheck(run, next(), tally));
}
