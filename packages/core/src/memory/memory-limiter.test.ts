import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Reservation } from "../ports/limiter.ts";
import { memoryLimiter } from "./memory-limiter.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

describe("a limiter in memory", () => {
  it("counts requests in a window until its last millisecond", async () => {
    const limiter = memoryLimiter();
    const window = { limit: 1, windowSeconds: 604_800 };
    expect(await limiter.countRequest("s", window)).toEqual({
      granted: true,
      state: { limit: 1, remaining: 0, resetAt: 1_000_000 + 604_800_000, now: 1_000_000 },
    });
    vi.advanceTimersByTime(604_800_000 - 1);
    expect((await limiter.countRequest("s", window)).granted).toBe(false);
    vi.advanceTimersByTime(1);
    expect((await limiter.countRequest("s", window)).granted).toBe(true);
  });

  it("counts the keys of one subject that have different limits separately", async () => {
    const limiter = memoryLimiter();
    const windows = [
      { limit: 1, windowSeconds: 60 },
      { limit: 2, windowSeconds: 60 },
      { limit: 2, windowSeconds: 61 },
    ];
    const granted: boolean[][] = [];
    for (let round = 0; round < 3; round++) {
      const counts = await Promise.all(windows.map((window) => limiter.countRequest("s", window)));
      granted.push(counts.map((count) => count.granted));
    }
    expect(granted).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, false],
    ]);
    vi.advanceTimersByTime(60_000);
    const counts = await Promise.all(windows.map((window) => limiter.countRequest("s", window)));
    expect(counts.map((count) => count.granted)).toEqual([true, true, false]);
  });

  it("frees a slot of expired leases alone, also of reservations whose tokens are not settled", () => {
    const limiter = memoryLimiter();
    const tokens = { amount: 1, window: { limit: 100, windowSeconds: 600 } };
    const expiring = [reservation({ concurrency: 2 }), reservation({ concurrency: 2, tokens })] as const;
    for (const each of expiring) limiter.reserve(each);
    vi.advanceTimersByTime(60_000);
    expect(limiter.reserve(reservation({ concurrency: 1, leaseMs: 600_000 }))).toEqual({ granted: true });
    // A renewal comes too late for a slot that was freed.
    limiter.renew(expiring);
    expect(limiter.reserve(reservation({ concurrency: 2 }))).toEqual({ granted: true });
    expect(limiter.reserve(reservation({ concurrency: 2 }))).toMatchObject({ refusedBy: "concurrency" });
    limiter.settle(expiring[1], 50);
    const rest = { ...tokens, amount: 51 };
    expect(limiter.reserve(reservation({ tokens: rest }))).toMatchObject({ refusedBy: "tokens" });
    expect(limiter.reserve(reservation({ tokens: { ...rest, amount: 50 } }))).toEqual({ granted: true });
  });

  it("rejects a window that its counter does not support", () => {
    for (const windowSeconds of [0, 0.5, 1.9, -1, 604_801, Number.NaN]) {
      expect(() => memoryLimiter().countRequest("s", { limit: 1, windowSeconds })).toThrow(/whole number from 1/);
      const tokens = { amount: 1, window: { limit: 1, windowSeconds } };
      expect(() => memoryLimiter().reserve(reservation({ tokens }))).toThrow(/whole number from 1/);
    }
  });

  it("opens the token window with the first reservation and ends it on time", () => {
    const limiter = memoryLimiter();
    const tokens = { amount: 10, window: { limit: 10, windowSeconds: 60 } };
    vi.advanceTimersByTime(30_000);
    expect(limiter.reserve(reservation({ tokens }))).toEqual({ granted: true });
    vi.advanceTimersByTime(59_999);
    expect(limiter.reserve(reservation({ tokens }))).toEqual({
      granted: false,
      refusedBy: "tokens",
      state: { limit: 10, remaining: 0, resetAt: 1_090_000, now: 1_089_999 },
    });
    vi.advanceTimersByTime(1);
    expect(limiter.reserve(reservation({ tokens }))).toEqual({ granted: true });
  });

  it("counts the slots of a subject as long as one lease runs, while others reserve", () => {
    const limiter = memoryLimiter();
    const running = reservation({ concurrency: 1 });
    limiter.reserve(running);
    vi.advanceTimersByTime(59_999);
    limiter.renew([running]);
    vi.advanceTimersByTime(59_999);
    for (let other = 0; other < 9; other++) limiter.reserve(reservation({ subject: `s${other}`, concurrency: 1 }));
    expect(limiter.reserve(reservation({ concurrency: 1 }))).toMatchObject({ refusedBy: "concurrency" });
    vi.advanceTimersByTime(1);
    expect(limiter.reserve(reservation({ concurrency: 1 }))).toEqual({ granted: true });
  });

  it("ignores negative amounts", () => {
    const limiter = memoryLimiter();
    const window = { limit: 10, windowSeconds: 60 };
    const full = reservation({ tokens: { amount: 10, window } });
    limiter.reserve(full);
    limiter.settle(full, Number.NaN);
    limiter.reserve(reservation({ tokens: { amount: -100, window } }));
    limiter.reserve(reservation({ tokens: { amount: Number.NaN, window } }));
    expect(limiter.reserve(reservation({ tokens: { amount: 1, window } }))).toMatchObject({ granted: false });
    vi.advanceTimersByTime(60_000);
    expect(limiter.reserve(reservation({ tokens: { amount: 10, window } }))).toEqual({ granted: true });
  });
});

function reservation(more: Partial<Reservation>): Reservation {
  return { id: crypto.randomUUID(), subject: "s", leaseMs: 60_000, ...more };
}
