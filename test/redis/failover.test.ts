import { setTimeout as sleep } from "node:timers/promises";
import type { Limiter } from "@tollgate/core/store";
import { type RedisClient, redisLimiter } from "@tollgate/redis";
import { describe, expect, it, vi } from "vitest";
import { clusterDrivers, drivers, freshPrefix, sentinelDrivers } from "./connections.ts";
import { expectCounting } from "./expect-counting.ts";
import { closeAfterTest, reservation } from "./outage-scene.ts";
import { isReplicated, OwnRedisCluster, until } from "./own-redis-cluster.ts";
import { OwnRedisServer, onOwnRedis, withoutRedisServer } from "./own-redis-server.ts";

const window = { limit: 300, windowSeconds: 600 };
const before = 20;
const subject = "customer";

/** Servers of which one can be lost. */
interface Servers {
  /** Waits until the replica has what its master wrote. */
  replicated(): Promise<void>;
  /** Kills the master of the subject. */
  kill(): Promise<void>;
}

describe.skipIf(withoutRedisServer)(onOwnRedis("limits in Redis whose master is killed"), { timeout: 60_000 }, () => {
  it.each(Object.entries(clusterDrivers))("go on in Redis Cluster, with %s", async (_, open) => {
    const cluster = await OwnRedisCluster.start();
    closeAfterTest(() => cluster.stop());
    const master = await cluster.masterOf(`{${subject}}`);
    await cluster.replicate(master);
    const { client, close } = await open(cluster.url);
    closeAfterTest(close);
    await expectSurvival(client, {
      replicated: () => cluster.waitForReplica(master),
      kill: () => cluster.kill(master),
    });
  });

  it.each(Object.entries(sentinelDrivers))("go on with Sentinel, with %s", async (name, open) => {
    const master = await OwnRedisServer.start(["--repl-diskless-sync-delay", "0"]);
    const replica = await OwnRedisServer.start(["--replicaof", "127.0.0.1", String(master.port)]);
    const sentinel = await OwnRedisServer.startSentinel("limits", master);
    const connection = await drivers["node-redis"](master.url);
    closeAfterTest(
      () => Promise.all([master, replica, sentinel].map((server) => server.stop())),
      () => connection.close(),
    );
    const replicated = () => until(async () => isReplicated(String(await connection.command("INFO", "replication"))));
    await replicated();
    await until(() => knowsReplica(sentinel));
    const { client, close } = await open("limits", sentinel.port);
    closeAfterTest(close);
    if (name === "node-redis") await expectGuideCounts("limits", sentinel.port);
    await expectSurvival(client, { replicated, kill: () => master.kill() });
  });
});

async function expectGuideCounts(name: string, port: number): Promise<void> {
  vi.stubEnv("REDIS_SENTINELS", `127.0.0.1:${port}`);
  vi.stubEnv("REDIS_MASTER", name);
  const { limiter, redis } = await import("../../examples/mounts/src/limits-with-sentinel.ts");
  await expectCounting(limiter, window);
  redis.destroy();
  vi.unstubAllEnvs();
}

async function knowsReplica(sentinel: OwnRedisServer): Promise<boolean> {
  const connection = await drivers["node-redis"](sentinel.url);
  const info = String(await connection.command("INFO", "sentinel"));
  connection.close();
  return info.includes("slaves=1");
}

/** Counts and reserves across the loss of the master: nothing is refused for it, and what was counted before still counts after. */
async function expectSurvival(client: RedisClient, { replicated, kill }: Servers): Promise<void> {
  const prefix = freshPrefix();
  const limiter = redisLimiter(client, { prefix });
  const strict = redisLimiter(client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
  const running = reservation({ subject, concurrency: 1 });
  const isRunning = async () => (await strict.reserve(reservation({ subject, concurrency: 1 }))).granted === false;
  for (let each = 0; each < before; each++) await strict.countRequest(subject, window);
  await strict.reserve(running);
  await replicated();
  await kill();
  const remaining = await firstCountAfter(limiter, strict);
  expect(remaining).toBeLessThan(window.limit - before);
  expect(remaining).toBeGreaterThan(0);
  expect(await isRunning()).toBe(true);
  await strict.settle(running, 0);
  expect(await isRunning()).toBe(false);
  // A call that timed out may still count.
  expect(await grantUntilRefused(strict)).toBeLessThanOrEqual(remaining);
}

/** Asks both until Redis counts, which only the new master can. Every answer of a limiter with its own share is a grant. */
async function firstCountAfter(limiter: Limiter, strict: Limiter): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    expect(await limiter.countRequest(subject, window)).toMatchObject({ granted: true });
    const counted = await Promise.resolve(strict.countRequest(subject, window)).catch(() => undefined);
    if (counted !== undefined) return counted.state.remaining;
    await sleep(100);
  }
  throw new Error("Redis did not count again within 20 s of the loss of its master.");
}

async function grantUntilRefused(limiter: Limiter): Promise<number> {
  for (let granted = 0; ; granted++) if (!(await limiter.countRequest(subject, window)).granted) return granted;
}
