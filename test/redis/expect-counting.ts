import type { Limiter, Window } from "@tollgate/core/store";
import { expect, vi } from "vitest";

/**
 * Waits until two requests are counted in Redis. On a busy machine a call may exceed the time limit of the limiter, which then counts
 * in this process for its share of the limit.
 */
export async function expectCounting(limiter: Limiter, window: Window): Promise<void> {
  await vi.waitFor(
    async () => {
      const subject = crypto.randomUUID();
      await limiter.countRequest(subject, window);
      const second = await limiter.countRequest(subject, window);
      expect(second).toMatchObject({ granted: true, state: { remaining: window.limit - 2 } });
    },
    { timeout: 15_000, interval: 200 },
  );
}
