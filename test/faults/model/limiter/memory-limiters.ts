import { memoryLimiter } from "@tollgate/core";
import type { Limiter } from "@tollgate/core/store";
import { vi } from "vitest";
import type { LimiterUnderTest } from "./limiter-check.ts";

/**
 * Creates a limiter in memory with the clock of the process, which must be a fake one. `mutate` can seed a mutation.
 */
export function memoryLimiterUnderTest(mutate: (sound: Limiter) => Limiter = (sound) => sound): LimiterUnderTest {
  // The timers of earlier limiters would only slow down the clock.
  vi.clearAllTimers();
  const limiter = mutate(memoryLimiter());
  return {
    clients: [limiter, limiter],
    passTime: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    toleranceMs: 0,
  };
}
