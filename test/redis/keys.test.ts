import type { Reservation } from "@tollgate/core/store";
import { redisLimiter } from "@tollgate/redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Connection,
  everyDriver,
  freshPrefix,
  keysOf,
  onRedis,
  sharedRedis,
  withoutRedis,
} from "./connections.ts";

const window = { limit: 100, windowSeconds: 60 };

describe.skipIf(withoutRedis).each(everyDriver)(onRedis("the Redis keys of a limiter on %s"), (_, open) => {
  let connection: Connection;
  beforeEach(async () => {
    connection = await open(sharedRedis());
  });
  afterEach(() => connection.close());

  it("have an expiry, and one hash tag per subject", async () => {
    const prefix = freshPrefix();
    const limiter = redisLimiter(connection.client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
    for (const subject of ["key-1", "a}b{c%d"]) {
      await limiter.countRequest(subject, window);
      const running: Reservation = {
        id: crypto.randomUUID(),
        subject,
        leaseMs: 5_000,
        concurrency: 2,
        tokens: { amount: 1, window },
      };
      await limiter.reserve(running);
      await limiter.reserve({ ...running, id: "unsettled", leaseMs: 1_000 });
      await limiter.renew([running]);
      await limiter.settle(running, 7);
    }
    const keys = await keysOf(connection, prefix);
    expect(keys).toEqual([
      `${prefix}:places:{a%7Db%7Bc%25d}`,
      `${prefix}:places:{key-1}`,
      `${prefix}:requests:100/60:{a%7Db%7Bc%25d}`,
      `${prefix}:requests:100/60:{key-1}`,
      `${prefix}:reserved:{a%7Db%7Bc%25d}:unsettled`,
      `${prefix}:reserved:{key-1}:unsettled`,
      `${prefix}:tokens:{a%7Db%7Bc%25d}`,
      `${prefix}:tokens:{key-1}`,
    ]);
    for (const key of keys) {
      const left = Number(await connection.command("PTTL", key));
      expect(left, key).toBeGreaterThan(0);
      // A settlement within an hour adds what was used beyond the reservation.
      expect(left, key).toBeLessThanOrEqual(key.includes(":reserved:") ? 3_600_000 : 60_000);
    }
  });

  it("store the places until the last lease expires, whichever was created first", async () => {
    const prefix = freshPrefix();
    const limiter = redisLimiter(connection.client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
    const running = { subject: "s", concurrency: 2 };
    await limiter.reserve({ ...running, id: crypto.randomUUID(), leaseMs: 30_000 });
    await limiter.reserve({ ...running, id: crypto.randomUUID(), leaseMs: 1_000 });
    expect(Number(await connection.command("PTTL", `${prefix}:places:{s}`))).toBeGreaterThan(20_000);
  });

  it("get a new expiry when it was removed", async () => {
    const prefix = freshPrefix();
    const limiter = redisLimiter(connection.client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
    await limiter.countRequest("s", window);
    await connection.command("PERSIST", `${prefix}:requests:100/60:{s}`);
    const { state } = await limiter.countRequest("s", window);
    expect(state.resetAt - state.now).toBe(60_000);
    expect(Number(await connection.command("PTTL", `${prefix}:requests:100/60:{s}`))).toBeGreaterThan(0);
  });

  it("count a reservation once when a client sends it twice", async () => {
    const prefix = freshPrefix();
    const limiter = redisLimiter(connection.client, { prefix, onOutage: "reject", timeoutMs: 5_000 });
    const running = {
      id: crypto.randomUUID(),
      subject: "s",
      leaseMs: 60_000,
      concurrency: 1,
      tokens: { amount: 60, window },
    };
    expect(await limiter.reserve(running)).toEqual({ granted: true });
    expect(await limiter.reserve(running)).toEqual({ granted: true });
    await limiter.settle(running, 0);
    expect(await limiter.reserve({ ...running, id: crypto.randomUUID(), tokens: { amount: 100, window } })).toEqual({
      granted: true,
    });
  });
});
