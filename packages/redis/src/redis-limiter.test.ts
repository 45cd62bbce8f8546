import { describe, expect, it, vi } from "vitest";
import type { RedisLimiterOptions } from "./limiter-options.ts";
import { redisLimiter } from "./redis-limiter.ts";

/** A client that replies to every script with the same values. */
function clientReplying(...reply: unknown[]) {
  const evalSha = vi.fn(async (_: string, __: { keys: string[]; arguments: string[] }) => reply);
  return { eval: evalSha, evalSha };
}

describe("a limiter in Redis", () => {
  it("rejects invalid options, and names the valid values", () => {
    const invalid: [RedisLimiterOptions, RegExp][] = [
      [{ prefix: "{all}" }, /`prefix` must be text without braces/],
      [{ prefix: "" }, /`prefix` must be text/],
      [{ expectedProcesses: 0 }, /`expectedProcesses` must be a whole number of at least 1/],
      [{ timeoutMs: 0.5 }, /`timeoutMs` must be a whole number of at least 1/],
      [JSON.parse('{"onOutage":"open"}'), /`onOutage` must be "local" or "reject"/],
    ];
    for (const [options, problem] of invalid) expect(() => redisLimiter(clientReplying(), options)).toThrow(problem);
  });

  it("rejects an invalid window without counting it as an outage", async () => {
    const client = clientReplying(1, 1, 1);
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

  it("reads numbers that a client returns as text", async () => {
    const limiter = redisLimiter(clientReplying("4", "60000", "1700000000000"));
    expect(await limiter.countRequest("s", { limit: 3, windowSeconds: 60 })).toEqual({
      granted: false,
      state: { limit: 3, remaining: 0, resetAt: 1_700_000_060_000, now: 1_700_000_000_000 },
    });
  });

  it("treats an unreadable reply as an outage", async () => {
    const limiter = redisLimiter(clientReplying("OK"), { onOutage: "reject" });
    await expect(limiter.countRequest("s", { limit: 3, windowSeconds: 60 })).rejects.toThrow(/unexpected reply/);
  });

  it("counts with any number of different limits", async () => {
    const client = clientReplying(1, 60_000, 1_700_000_000_000);
    const limiter = redisLimiter(client);
    for (let limit = 1; limit <= 2_500; limit++) {
      const { state } = await limiter.countRequest("s", { limit, windowSeconds: 60 });
      expect(state.remaining).toBe(limit - 1);
    }
    expect(client.evalSha.mock.lastCall?.[1].keys).toEqual(["tollgate:requests:2500/60:{s}"]);
  });

  it("renews all leases of a subject in one call, and sends the calls of several subjects together", async () => {
    const client = clientReplying();
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
