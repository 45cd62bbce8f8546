import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Gateway, healthEndpoints, type Mountable } from "@tollgate/core";
import { basicLogin, dashboard } from "@tollgate/dashboard";
import { tollgate } from "@tollgate/express";
import { openTelemetry } from "@tollgate/opentelemetry";
import express from "express";
import { type ContainerEnvironment, readContainerEnvironment } from "./environment.ts";
import { openGateway, prefix } from "./gateway.ts";
import { startMetrics } from "./metrics.ts";
import { openRecords, type SharedRecords } from "./records.ts";

/** Runs the one process of a container. Returns a function that stops it. */
async function start(environment: ContainerEnvironment): Promise<() => Promise<void>> {
  const stopMetrics = await startMetrics(environment.host, environment.metricsPort);
  const records = await openRecords(environment);
  const gateway: Gateway = openGateway(records, {
    observer: openTelemetry({ state: () => gateway.inspect() }),
    usage: { store: records.stores.usage },
  });
  const app = express();
  app.use(prefix, tollgate(gateway));
  app.use(tollgate(healthEndpoints({ gateway, ready: { database: () => records.stores.keys.list({ limit: 1 }) } })));
  if (environment.dashboardPassword !== undefined) {
    app.use("/tollgate", tollgate(operatorDashboard(gateway, records, environment.dashboardPassword)));
  }
  const server = createServer(app);
  server.listen(environment.port, environment.host);
  await once(server, "listening").catch((cause: Error) => {
    throw new Error(`${cause.message}. Free the port, or set another one as PORT.`, { cause });
  });
  return async () => {
    // The server goes on listening: requests get 503, and /readyz tells the load balancer to send no more.
    await Promise.all([gateway.drain({ timeoutMs: environment.drainMs }), pause(environment.lingerMs)]);
    const closed = once(server, "close");
    server.close();
    server.closeIdleConnections();
    await closed;
    await records.close();
    await stopMetrics();
  };
}

function operatorDashboard(gateway: Gateway, { stores }: SharedRecords, password: string): Mountable {
  const { keys, balances, terms, usage, audit } = stores;
  return dashboard({
    gateway,
    stores: { keys, accounts: balances, balances, terms, usage, audit },
    authorize: basicLogin({ user: "admin", password }),
    currency: "USD",
    routerUrl: prefix,
  });
}

try {
  const environment = readContainerEnvironment(process.env);
  const stop = await start(environment);
  process.once("SIGTERM", () => stop().finally(() => process.exit()));
  console.log(`Process ${process.pid} answers at port ${environment.port}${prefix}.`);
} catch (error) {
  console.error(`The process cannot start. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
