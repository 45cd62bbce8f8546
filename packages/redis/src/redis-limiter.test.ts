import { describe, expect, it, vi } from "vitest";
import type { RedisLimiterOptions } from "./limiter-options.ts";
import { redisLimiter } from "./redis-limiter.ts";

/** A client that answers every script with the same numbers. */
function clientAnswering(...numbers: unknown[]) {
  const evalSha = vi.fn(async (_: string, __: { keys: string[]; arguments: string[] }) => numbers);
  return { eval: evalSha, evalSha };
}

describe("a limiter in Redis", () => {
  it("refuses options that cannot be, and says what may be", () => {
    const faults: [RedisLimiterOptions, RegExp][] = [
      [{ prefix: "{all}" }, /`prefix` must be text without braces/],
      [{ prefix: "" }, /`prefix` must be text/],
      [{ expectedProcesses: 0 }, /`expectedProcesses` must be a whole number of at least 1/],
      [{ timeoutMs: 0.5 }, /`timeoutMs` must be a whole number of at least 1/],
      [JSON.parse('{"whenDown":"open"}'), /`whenDown` must be "local" or "refuse"/],
    ];
    for (const [options, problem] of faults) expect(() => redisLimiter(clientAnswering(), options)).toThrow(problem);
  });

  it("refuses a window that it cannot keep, and does not take that for an outage", async () => {
    const client = clientAnswering(1, 1, 1);
    const limiter = redisLimiter(client);
    for (const windowSeconds of [0, 0.5, 1.9, -1, 604_801, Number.NaN]) {
      const window = { limit: 1, windowSeconds };
      await expect(limiter.countRequest("s", window)).rejects.toThrow(/whole number from 1/);
      const reservation = { id: "r", subject: "s", leaseMs: 1, tokens: { amount: 1, window } };
      await expect(limiter.reserve(reservation)).rejects.toThrow(/whole number from 1/);
    }
    await expect(limiter.countRequest("s", { limit: 1.5, windowSeconds: 60 })).rejects.toThrow(/whole number/);
    expect(client.evalSha).not.toHaveBeenCalled();
  });

  it("reads numbers that a client gives as text", async () => {
    const limiter = redisLimiter(clientAnswering("4", "60000", "1700000000000"));
    expect(await limiter.countRequest("s", { limit: 3, windowSeconds: 60 })).toEqual({
      granted: false,
      state: { limit: 3, remaining: 0, resetAt: 1_700_000_060_000, now: 1_700_000_000_000 },
    });
  });

  it("takes an answer that it cannot read for an outage", async () => {
    const limiter = redisLimiter(clientAnswering("OK"), { whenDown: "refuse" });
    await expect(limiter.countRequest("s", { limit: 3, windowSeconds: 60 })).rejects.toThrow(/unknown form/);
  });

  it("counts on, however many limits there are", async () => {
    const client = clientAnswering(1, 60_000, 1_700_000_000_000);
    const limiter = redisLimiter(client);
    for (let limit = 1; limit <= 2_500; limit++) {
      const { state } = await limiter.countRequest("s", { limit, windowSeconds: 60 });
      expect(state.remaining).toBe(limit - 1);
    }
    expect(client.evalSha.mock.lastCall?.[1].keys).toEqual(["tollgate:requests:2500/60:{s}"]);
  });

  it("renews all leases of one subject in one call, and sends the calls of many together", async () => {
    const client = clientAnswering();
    const running = Array.from({ length: 12 }, (_, index) => ({
      id: `r${index}`,
      subject: `s${index % 3}`,
      leaseMs: 60_000,
      concurrency: 5,
    }));
    await redisLimiter(client).renew([...running, { id: "tokens only", subject: "s4", leaseMs: 60_000 }]);
    expect(client.evalSha.mock.calls.map(([, { keys }]) => keys)).toEqual([
      ["tollgate:places:{s0}"],
      ["tollgate:places:{s1}"],
      ["tollgate:places:{s2}"],
    ]);
    expect(client.evalSha.mock.calls[0]?.[1].arguments).toEqual(
      ["r0", "r3", "r6", "r9"].flatMap((id) => [id, "60000"]),
    );
  });
});
