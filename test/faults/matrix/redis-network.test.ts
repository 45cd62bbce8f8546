import { redisLimiter } from "@tollgate/redis";
import { afterAll, describe, expect } from "vitest";
import { everyDriver, freshPrefix, onRedis, sharedRedis, withoutRedis } from "../../redis/connections.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { runCell } from "./cell.ts";
import { type Case, inLanes } from "./lanes.ts";
import { networkFault, networks } from "./networks.ts";
import { memoryPorts } from "./ports.ts";
import { patient, Scene, type Times } from "./scene.ts";

/** The timeout of the gateway must be longer than that of the limiter. */
const times: Times = { ...patient, storeTimeoutMs: 6_000 };

describe.skipIf(withoutRedis)(onRedis("the network between a gateway and Redis"), () => {
  const ends: (() => unknown)[] = [];
  afterAll(() => {
    for (const end of ends) end();
  });

  const onOutage = ["local", "reject"] as const;
  const cases = everyDriver.flatMap(([driver, open]) =>
    onOutage.flatMap((policy) =>
      networks.map(({ name, network, outage }): Case => {
        const refused = outage && policy === "reject";
        return {
          name: `${name} (${driver}, ${policy}): requests are ${refused ? "refused" : "served"}, never because of a limit`,
          async run() {
            const options = { prefix: freshPrefix(), onOutage: policy, timeoutMs: times.storeTimeoutMs / 2 };
            const proxy = await TcpProxy.to(sharedRedis());
            const [direct, broken] = [await open(sharedRedis()), await open(proxy.url)];
            ends.push(direct.close, broken.close, () => proxy.stop());
            const stores = memoryPorts();
            const sound = { ...stores, limiter: redisLimiter(direct.client, options) };
            const ports = { ...stores, limiter: redisLimiter(broken.client, options) };
            const scene = new Scene(sound, ports, times);
            const figures = await runCell(scene, networkFault(proxy, network), refused ? "refused" : "served");
            const refusals = scene.tested.events.filter((event) => event.type === "request.refused");
            expect(refusals.filter(({ status }) => status === 429)).toEqual([]);
            return figures;
          },
        };
      }),
    ),
  );
  inLanes("Redis behind a broken network", cases, cases.length);
});
