import { redisLimiter } from "@tollgate/redis";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  type Connection,
  drivers,
  dropKeys,
  freshPrefix,
  onRedis,
  sharedRedis,
  withoutRedis,
} from "../../../redis/connections.ts";
import { form } from "../../form.ts";
import { checkProperty } from "../script.ts";
import { Tally } from "../tally.ts";
import { limiterProperty } from "./limiter-property.ts";

describe.skipIf(withoutRedis)(onRedis("a limiter in Redis"), () => {
  const prefix = freshPrefix();
  let connections: readonly [Connection, Connection];
  beforeAll(async () => {
    connections = [await drivers["node-redis"](sharedRedis()), await drivers.ioredis(sharedRedis())];
  });
  afterAll(async () => {
    await dropKeys(connections[0], prefix);
    for (const each of connections) each.close();
  });

  it("matches the model after every call, with two clients", async () => {
    const tally = new Tally();
    const options = { prefix, onOutage: "reject", timeoutMs: 10_000 } as const;
    const [one, other] = connections;
    const clients = [redisLimiter(one.client, options), redisLimiter(other.client, options)] as const;
    // Leases are longer than the tolerance, so none expires during a script.
    const property = limiterProperty(() => ({ clients, toleranceMs: 15_000 }), tally);
    await checkProperty("Model of the limiter in Redis", property, form === "long" ? 2_000 : 100, tally);
  }, 600_000);
});
