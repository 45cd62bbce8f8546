import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";
import { type Connection, drivers, everyDriver, freshPrefix } from "./connections.ts";
import { closeAfterTest, count, limiterOn, reservation, scene, share, window } from "./outage-scene.ts";
import { OwnRedisServer, onOwnRedis, withoutRedisServer } from "./own-redis-server.ts";

describe.skipIf(withoutRedisServer).each(everyDriver)(
  onOwnRedis("during an outage of Redis, a limiter on %s"),
  (_, open) => {
    it("counts its share while Redis is down, and counts in Redis again after its recovery", async () => {
      const { server, limiter, events, lost, back } = await scene(open);
      expect(await count(limiter, 5)).toBe(5);
      await server.kill();
      expect(await count(limiter, 30)).toBe(share);
      await lost();
      await server.start();
      await back();
      // The restarted Redis is empty, and has received only the requests that were sent before the breaker opened.
      const { state } = await limiter.countRequest("s", window);
      expect(state.limit).toBe(20);
      expect(state.remaining).toBeGreaterThanOrEqual(20 - 1 - 3);
      expect(events).toEqual([
        { type: "redis.lost", at: expect.any(Number), onOutage: "local", reason: expect.any(String) },
        { type: "redis.back", at: expect.any(Number), downMs: expect.any(Number) },
      ]);
    });

    it("returns in time while Redis hangs, and grants no more than Redis granted plus one share", async () => {
      const { server, limiter, lost, back } = await scene(open);
      expect(await count(limiter, 5)).toBe(5);
      expect(await count(limiter, 5, "other")).toBe(5);
      server.freeze();
      // All of them are sent before the first one fails.
      const results = await Promise.all(Array.from({ length: 30 }, () => count(limiter, 1)));
      let granted = 5 + results.filter((each) => each === 1).length;
      expect(granted).toBe(5 + share);
      granted += await count(limiter, 10);
      await lost();
      expect(await count(limiter, 30, "other")).toBe(share);
      server.thaw();
      await back();
      granted += await count(limiter, 30);
      // Redis has counted the 30 requests late, and they used up the subject's window. None of the other subject was
      // sent.
      expect(granted).toBe(5 + share);
      expect(await count(limiter, 30, "other")).toBe(window.limit - 5);
    });

    it("releases what was settled while Redis hung", async () => {
      const { server, limiter, lost, back } = await scene(open);
      const all = { concurrency: 1, tokens: { amount: 100, window: { limit: 100, windowSeconds: 600 } } };
      const running = reservation(all);
      expect(await limiter.reserve(running)).toEqual({ granted: true });
      server.freeze();
      await count(limiter, 3);
      await lost();
      await limiter.settle(running, 40);
      server.thaw();
      await back();
      await vi.waitFor(
        async () => {
          const rest = reservation({ ...all, tokens: { ...all.tokens, amount: 60 } });
          expect(await limiter.reserve(rest)).toEqual({ granted: true });
        },
        { timeout: 10_000 },
      );
    });

    it("releases what Redis granted too late, whether or not it was granted locally", async () => {
      const { server, limiter, back } = await scene(open);
      const place = (subject: string) => reservation({ subject, concurrency: 2 });
      const [running, refused, settled] = [place("a"), place("a"), place("b")];
      server.freeze();
      const results = await Promise.all([running, refused, settled].map((each) => limiter.reserve(each)));
      expect(results.map(({ granted }) => granted)).toEqual([true, false, true]);
      await limiter.settle(settled, 0);
      server.thaw();
      await back();
      // Redis has granted all three by now. Only the first is still running.
      await vi.waitFor(
        async () => {
          expect(await limiter.reserve(place("a"))).toEqual({ granted: true });
          expect(await limiter.reserve(place("a"))).toMatchObject({ refusedBy: "concurrency", state: { limit: 2 } });
        },
        { timeout: 10_000 },
      );
      expect(await limiter.reserve(place("b"))).toEqual({ granted: true });
      expect(await limiter.reserve(place("b"))).toEqual({ granted: true });
      await limiter.settle(running, 0);
      expect(await limiter.reserve(place("a"))).toEqual({ granted: true });
    });

    it("settles and renews locally what it granted locally", async () => {
      const { server, limiter, lost } = await scene(open);
      await server.kill();
      await count(limiter, 3);
      await lost();
      const place = (leaseMs = 60_000) => reservation({ concurrency: 2, leaseMs });
      const running = place(300);
      expect(await limiter.reserve(running)).toEqual({ granted: true });
      expect(await limiter.reserve(place())).toMatchObject({ refusedBy: "concurrency", state: { limit: 1 } });
      await sleep(200);
      await limiter.renew([running]);
      await sleep(200);
      expect(await limiter.reserve(place())).toMatchObject({ refusedBy: "concurrency" });
      await limiter.settle(running, 0);
      expect(await limiter.reserve(place())).toEqual({ granted: true });
    });

    it('rejects with onOutage: "reject", immediately once the breaker is open, and never reports a limit', async () => {
      const { server, limiter, lost, back } = await scene(open, { onOutage: "reject" });
      await server.kill();
      for (let times = 0; times < 3; times++) {
        await expect(limiter.countRequest("s", window)).rejects.toThrow(/Redis cannot count the limits/);
      }
      await lost();
      await expect(limiter.reserve(reservation({ concurrency: 1 }))).rejects.toThrow(/it failed a moment ago/);
      await server.start();
      await back();
      expect(await limiter.countRequest("s", window)).toMatchObject({ granted: true });
    });
  },
);

describe.skipIf(withoutRedisServer)(onOwnRedis("an error of Redis does not count as a refusal"), () => {
  const subject = "s";
  const faults: Record<string, (connection: Connection, prefix: string) => Promise<unknown>> = {
    "a key of another type": ({ command }, prefix) =>
      command("LPUSH", `${prefix}:requests:20/600:{${subject}}`, "something else"),
    "a replica": ({ command }) => command("REPLICAOF", "127.0.0.1", "1"),
    "no memory": ({ command }) => command("CONFIG", "SET", "maxmemory", "1"),
    "no permission": ({ command }) => command("ACL", "SETUSER", "default", "-evalsha", "-eval"),
  };

  describe.each(everyDriver)("on %s", (_, open) => {
    it.each(Object.entries(faults))("%s", async (_, cause) => {
      const prefix = freshPrefix();
      const { connection, limiter } = await scene(open, { prefix });
      await cause(connection, prefix);
      expect(await count(limiter, 30, subject)).toBe(share);
    });

    it("and Redis is used again when it accepts writes", async () => {
      const { connection, limiter, lost, back } = await scene(open);
      await connection.command("REPLICAOF", "127.0.0.1", "1");
      await count(limiter, 3);
      await lost();
      await connection.command("REPLICAOF", "NO", "ONE");
      await back();
      expect(await limiter.countRequest("fresh", window)).toMatchObject({ state: { limit: 20, remaining: 19 } });
    });
  });

  it("a cluster without its slots", async () => {
    const server = await OwnRedisServer.start(["--cluster-enabled", "yes"]);
    const connection = await drivers["node-redis"](server.url);
    closeAfterTest(() => server.stop(), connection.close);
    expect(await count(limiterOn(connection.client).limiter, 30)).toBe(share);
  });
});

describe.skipIf(withoutRedisServer)(onOwnRedis("a gateway whose Redis is down"), () => {
  it('responds normally from its share, and with 503 with onOutage: "reject"', async () => {
    const script = { complete: async () => completionOf("Hi"), stream: () => chunksOf(["Hi"]) };
    for (const [onOutage, status] of [
      ["local", 200],
      ["reject", 503],
    ] as const) {
      const { server, limiter } = await scene(drivers.ioredis, { onOutage });
      const { chat, key, provider } = gatewayUnderTest({ limiter });
      provider.script = script;
      const secret = await key();
      expect((await chat(secret)).status).toBe(200);
      await server.kill();
      const response = await chat(secret);
      expect(response.status).toBe(status);
      if (onOutage === "reject") {
        expect(response.headers.get("retry-after")).toBe("1");
        expect(await response.json()).toMatchObject({ error: { code: "store_unavailable" } });
      }
    }
  });
});
