import { setTimeout as sleep } from "node:timers/promises";
import { limiterContract } from "@tollgate/contract";
import { redisLimiter } from "@tollgate/redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Connection, clusterDrivers, everyDriver, freshPrefix } from "./connections.ts";
import { expectCounting } from "./expect-counting.ts";
import { OwnRedisCluster } from "./own-redis-cluster.ts";
import { OwnRedisServer, onOwnRedis, withoutRedisServer } from "./own-redis-server.ts";

const window = { limit: 3, windowSeconds: 60 };

describe.skipIf(withoutRedisServer).each(everyDriver)(onOwnRedis("a limiter on %s"), (_, open) => {
  let server: OwnRedisServer;
  let connection: Connection;
  beforeAll(async () => {
    server = await OwnRedisServer.start();
    connection = await open(server.url);
  });
  afterAll(async () => {
    connection.close();
    await server.stop();
  });

  it("continues after the script cache of Redis was flushed", async () => {
    const limiter = redisLimiter(connection.client, { prefix: freshPrefix(), onOutage: "reject", timeoutMs: 5_000 });
    const running = { id: crypto.randomUUID(), subject: "s", leaseMs: 60_000, concurrency: 1 };
    const flushScripts = () => connection.command("SCRIPT", "FLUSH");
    for (const remaining of [2, 1, 0]) {
      await flushScripts();
      expect(await limiter.countRequest("s", window)).toMatchObject({ granted: true, state: { remaining } });
    }
    await flushScripts();
    expect(await limiter.reserve(running)).toEqual({ granted: true });
    await flushScripts();
    await limiter.renew([running]);
    await flushScripts();
    await limiter.settle(running, 0);
    expect(await limiter.reserve({ ...running, id: crypto.randomUUID() })).toEqual({ granted: true });
  });
});

describe.skipIf(withoutRedisServer)(onOwnRedis("on Redis Cluster of three masters"), () => {
  let servers: OwnRedisCluster;
  beforeAll(async () => {
    servers = await OwnRedisCluster.start();
  });
  afterAll(() => servers.stop());

  it("the limits of the guide count", async () => {
    vi.stubEnv("REDIS_NODES", servers.url);
    const { limiter, redis } = await import("../../examples/mounts/src/limits-in-redis-cluster.ts");
    await expectCounting(limiter, window);
    redis.destroy();
    vi.unstubAllEnvs();
  });

  describe.each(Object.entries(clusterDrivers))("a limiter on the cluster client of %s", (_, open) => {
    let cluster: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      cluster = await open(servers.url);
    });
    afterAll(() => cluster.close());

    limiterContract({
      test: { describe, it },
      create: () => ({
        store: redisLimiter(cluster.client, { prefix: freshPrefix(), onOutage: "reject", timeoutMs: 5_000 }),
      }),
    });

    it("renews the leases of subjects in different slots", async () => {
      const limiter = redisLimiter(cluster.client, { prefix: freshPrefix(), onOutage: "reject", timeoutMs: 5_000 });
      const running = Array.from({ length: 20 }, (_, index) => ({
        id: crypto.randomUUID(),
        subject: `subject-${index}`,
        leaseMs: 60_000,
        concurrency: 1,
      }));
      for (const each of running) await limiter.reserve({ ...each, leaseMs: 2_000 });
      await limiter.renew(running);
      await sleep(2_100);
      for (const each of running) {
        expect(await limiter.reserve({ ...each, id: crypto.randomUUID() })).toMatchObject({ refusedBy: "concurrency" });
      }
    });
  });
});
