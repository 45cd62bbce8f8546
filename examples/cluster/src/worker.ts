import { once } from "node:events";
import { createServer } from "node:http";
import { createGateway } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { pooledTransport } from "@tollgate/node";
import express from "express";
import { echoProvider } from "./echo-provider.ts";
import type { Environment } from "./environment.ts";
import { openRecords } from "./records.ts";

/** The path of the router in every process. */
export const prefix = "/router/v1";

/** Runs one worker: an ordinary host with shared stores. Returns a function that stops it. */
export async function startWorker(environment: Environment): Promise<() => Promise<void>> {
  const records = await openRecords(environment);
  const gateway = createGateway({
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
    keys: records.stores.keys,
    balances: records.stores.balances,
    limiter: records.limiter,
    transport: pooledTransport(),
    basePath: prefix,
    money: { leaseMs: 10_000, heartbeatMs: 2_500 },
  });
  const app = express();
  app.use(prefix, tollgate(gateway));
  const server = createServer(app);
  server.listen(environment.port, "127.0.0.1");
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeIdleConnections();
    await gateway.drain({ timeoutMs: 10_000 });
    await records.close();
    server.closeAllConnections();
  };
}
