import { memoryLimiter } from "@tollgate/core";
import type { Limiter } from "@tollgate/core/store";
import { vi } from "vitest";
import type { LimiterUnderTest } from "./limiter-check.ts";

/** Gives a limiter in memory on the clock of the process, which must be a fake one; `flawed` may plant a mistake. */
export function memoryLimiterUnderTest(flawed: (sound: Limiter) => Limiter = (sound) => sound): LimiterUnderTest {
  // What earlier limiters have set would only hold up the clock.
  vi.clearAllTimers();
  const limiter = flawed(memoryLimiter());
  return {
    clients: [limiter, limiter],
    passTime: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    toleranceMs: 0,
  };
}
