import { createGateway, type Gateway, type GatewayOptions } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { echoProvider } from "./echo-provider.ts";
import type { SharedRecords } from "./records.ts";

/** The path of the router in every process. */
export const prefix = "/router/v1";

/** Creates the gateway of one process over the shared records. */
export function openGateway({ stores }: SharedRecords, more: Pick<GatewayOptions, "observer" | "usage"> = {}): Gateway {
  return createGateway({
    models: [
      {
        id: "echo-1",
        contextWindow: 8_000,
        maxOutputTokens: 1_000,
        price: { input: "1", output: "2" },
        targets: [{ provider: echoProvider(), model: "echo" }],
      },
    ],
    plans: [{ id: "prepaid", billing: "prepaid" }],
    keys: stores.keys,
    balances: stores.balances,
    limiter: stores.limiter,
    transport: pooledTransport(),
    basePath: prefix,
    money: { leaseMs: 10_000, heartbeatMs: 2_500 },
    ...more,
  });
}
