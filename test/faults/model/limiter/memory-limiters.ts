import { memoryLimiter } from "@tollgate/core";
import { vi } from "vitest";
import type { LimiterUnderTest } from "./limiter-check.ts";

/** Creates a limiter in memory with the clock of the process, which must be a fake one. */
export function memoryLimiterUnderTest(): LimiterUnderTest {
  // The timers of earlier limiters would only slow down the clock.
  vi.clearAllTimers();
  const limiter = memoryLimiter();
  return {
    clients: [limiter, limiter],
    passTime: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    toleranceMs: 0,
  };
}
