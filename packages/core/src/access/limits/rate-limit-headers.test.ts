import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { rateLimitHeaders, retryAfterSeconds, shouldNotRetry } from "./limiter-results.ts";

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });

it("has the limit, the remaining count, and the reset in seconds, rounded up", () => {
  expect(rateLimitHeaders({ limit: 10, remaining: 3, resetAt: 1_700_000_000_001, now: 0 })).toEqual({
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "3",
    "x-ratelimit-reset": "1700000001",
  });
});

it("never gives a time before the reset, nor a second later than needed", () => {
  fc.assert(
    fc.property(time, fc.integer({ min: -10_000, max: 604_800_000 }), (now, wait) => {
      const resetAt = now + wait;
      const seconds = retryAfterSeconds({ resetAt, now });
      const reset = Number(rateLimitHeaders({ limit: 1, remaining: 0, resetAt, now })["x-ratelimit-reset"]);
      expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
      expect(now + 1000 * seconds).toBeGreaterThanOrEqual(resetAt);
      expect(1000 * (seconds - 1)).toBeLessThan(Math.max(1, wait));
      expect(1000 * reset).toBeGreaterThanOrEqual(resetAt);
    }),
    { numRuns: runs(10_000) },
  );
});

it("advises against a retry above 60 seconds", () => {
  expect([60, 61].map(shouldNotRetry)).toEqual([false, true]);
});
