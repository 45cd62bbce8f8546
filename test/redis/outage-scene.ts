import type { Limiter, Reservation } from "@tollgate/core/store";
import { type RedisClient, type RedisLimiterEvent, type RedisLimiterOptions, redisLimiter } from "@tollgate/redis";
import { afterEach, expect, vi } from "vitest";
import { type Connection, freshPrefix } from "./connections.ts";
import { OwnRedisServer } from "./own-redis-server.ts";

const timeoutMs = 250;
/** What a busy machine may add to a time-out. */
const slackMs = 700;
/** The limit of requests in these tests. */
export const window = { limit: 20, windowSeconds: 600 };
/** What one of two processes grants without Redis. */
export const share = 10;

const closing: (() => unknown)[] = [];

/** What to close when the test has ended, the last first. */
export const atTheEnd = (...close: (() => unknown)[]): void => void closing.push(...close);

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A limiter on a server of its own, as one of two processes. */
export async function scene(open: (url: string) => Promise<Connection>, options: RedisLimiterOptions = {}) {
  const server = await OwnRedisServer.start();
  const connection = await open(server.url);
  atTheEnd(() => server.stop(), connection.close);
  return { server, connection, ...limiterOn(connection.client, options) };
}

/** A limiter that expects two processes, and what its observer was told. */
export function limiterOn(client: RedisClient, options: RedisLimiterOptions = {}) {
  const events: RedisLimiterEvent[] = [];
  const limiter = redisLimiter(client, {
    prefix: freshPrefix(),
    expectedProcesses: 2,
    timeoutMs,
    observer: (event) => events.push(event),
    ...options,
  });
  const last = () => events.at(-1)?.type;
  return {
    events,
    limiter,
    lost: () => vi.waitFor(() => expect(last()).toBe("redis.lost"), { timeout: 3_000, interval: 10 }),
    back: () => vi.waitFor(() => expect(last()).toBe("redis.back"), { timeout: 4_000, interval: 10 }),
  };
}

/** Counts so many requests and tells how many were granted; each must answer, and in time. */
export async function count(limiter: Limiter, times: number, subject = "s"): Promise<number> {
  let granted = 0;
  for (let each = 0; each < times; each++) {
    const begun = performance.now();
    if ((await limiter.countRequest(subject, window)).granted) granted++;
    expect(performance.now() - begun).toBeLessThan(timeoutMs + slackMs);
  }
  return granted;
}

/** A reservation of the subject that lives for a minute. */
export const reservation = (more: Partial<Reservation> = {}): Reservation => ({
  id: crypto.randomUUID(),
  subject: "s",
  leaseMs: 60_000,
  ...more,
});
