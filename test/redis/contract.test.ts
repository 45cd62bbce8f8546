import { limiterContract } from "@tollgate/contract";
import { redisLimiter } from "@tollgate/redis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Connection, everyDriver, freshPrefix, onRedis, sharedRedis, withoutRedis } from "./connections.ts";

describe.skipIf(withoutRedis).each(everyDriver)(onRedis("a limiter on %s"), (_, open) => {
  let connections: readonly Connection[] = [];
  beforeAll(async () => {
    connections = await Promise.all([open(sharedRedis()), open(sharedRedis())]);
  });
  afterAll(() => {
    for (const each of connections) each.close();
  });

  limiterContract({
    test: { describe, it },
    create: () => {
      const prefix = freshPrefix();
      const [store, peer] = connections.map(({ client }) =>
        redisLimiter(client, { prefix, onOutage: "reject", timeoutMs: 5_000 }),
      );
      if (store === undefined || peer === undefined) throw new Error("Two connections are expected.");
      return { store, peer };
    },
  });
});
