import type { Limiter, Reservation } from "@tollgate/core/store";
import { type RedisClient, type RedisLimiterEvent, type RedisLimiterOptions, redisLimiter } from "@tollgate/redis";
import { afterEach, expect, vi } from "vitest";
import { type Connection, freshPrefix } from "./connections.ts";
import { OwnRedisServer } from "./own-redis-server.ts";

const timeoutMs = 250;
/** The delay that a busy machine can add to a timeout. */
const slackMs = 5_000;
/** The limit of requests in these tests. */
export const window = { limit: 20, windowSeconds: 600 };
/** The requests that one of two processes grants during an outage. */
export const share = 10;

const closing: (() => unknown)[] = [];

/** Registers functions to call after the test, the last one first. */
export const closeAfterTest = (...close: (() => unknown)[]): void => void closing.push(...close);

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A limiter on a separate server, as one of two processes. */
export async function scene(open: (url: string) => Promise<Connection>, options: RedisLimiterOptions = {}) {
  const server = await OwnRedisServer.start();
  const connection = await open(server.url);
  closeAfterTest(() => server.stop(), connection.close);
  return { server, connection, ...limiterOn(connection.client, options) };
}

/** A limiter that expects two processes, and the events of its observer. */
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
    lost: () => vi.waitFor(() => expect(last()).toBe("redis.lost"), { timeout: 10_000, interval: 10 }),
    back: () => vi.waitFor(() => expect(last()).toBe("redis.back"), { timeout: 10_000, interval: 10 }),
  };
}

/** Counts requests and returns how many were granted. Each call must return within the timeout. */
export async function count(limiter: Limiter, times: number, subject = "s"): Promise<number> {
  let granted = 0;
  for (let each = 0; each < times; each++) {
    const start = performance.now();
    if ((await limiter.countRequest(subject, window)).granted) granted++;
    expect(performance.now() - start).toBeLessThan(timeoutMs + slackMs);
  }
  return granted;
}

/** A reservation with a lease of one minute. */
export const reservation = (overrides: Partial<Reservation> = {}): Reservation => ({
  id: crypto.randomUUID(),
  subject: "s",
  leaseMs: 60_000,
  ...overrides,
});
