import { randomUUID } from "node:crypto";
import { assistants } from "@tollgate/assistants";
import { createGateway, type GatewayEvent, type ModelConfig, memoryLimiter, traceObserver } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { pooledTransport } from "@tollgate/node";
import express from "express";
import { announce, announceAsJson } from "./announcement.ts";
import { demonstrationAssistant, demonstrationRunner } from "./assistant.ts";
import { openAccounts } from "./demonstration/accounts.ts";
import { openCustomers } from "./demonstration/customers.ts";
import { issueDemonstrationKeys, revokeStaleKeys } from "./demonstration/keys.ts";
import { type Served, sendTraffic } from "./demonstration/traffic.ts";
import { fillUsage } from "./demonstration/usage.ts";
import { environmentFileOf, readPassword, writeEnvironmentFile } from "./environment-file.ts";
import { offeredModels, plans } from "./offer.ts";
import { onInterrupt } from "./on-interrupt.ts";
import { dashboardPath, operatorDashboard } from "./operator-dashboard.ts";
import { ordersRouter } from "./orders.ts";
import { listen, readPort, stop } from "./serve.ts";
import { openStores, type QuickstartStores, unusable } from "./stores.ts";
import { termsOf, termsRouter } from "./terms.ts";
import { chooseUpstream } from "./upstream.ts";

const prefix = "/router/v1";

async function main(): Promise<void> {
  const port = readPort(process.env["PORT"], 8787);
  const upstream = await chooseUpstream(process.env);
  const stores = openStores(process.env);
  const { accounts, keys } = await openDemonstration(stores);
  // Listen first: the URLs of terms and webhooks contain this address.
  const { server, authority, origin } = await listen(port);
  const shopKey = randomUUID();

  const models = offeredModels(upstream);
  const gateway = createGateway({
    models,
    plans,
    keys: stores.keys,
    balances: stores.balances,
    limiter: memoryLimiter(),
    terms: { store: stores.terms, versions: termsOf(origin) },
    transport: pooledTransport(),
    observer: process.env["QUICKSTART_TRACE"] === "1" ? traceObserver() : reportFailure,
    usage: { store: stores.usage },
    responses: { store: stores.responses },
    basePath: prefix,
    extensions: [
      assistants({
        list: [demonstrationAssistant(origin, shopKey)],
        sessions: stores.sessions,
        runner: demonstrationRunner(authority),
      }),
    ],
  });

  const app = express();
  app.disable("x-powered-by");
  app.use(prefix, tollgate(gateway));
  app.use(tollgate(gateway.sessions));
  const environmentFile = environmentFileOf(stores.file);
  const { password, isNew } = readPassword(environmentFile);
  app.use(dashboardPath, tollgate(operatorDashboard(gateway, stores, { user: "admin", password })));
  app.use(ordersRouter(shopKey));
  app.use(termsRouter(gateway, stores.keys, accounts.terms));
  server.on("request", app);

  const end = () => stop(gateway, server).finally(stores.close);
  onInterrupt(() => finish(end, gateway.inFlight()));
  // Clients of Anthropic append "/v1/messages" to their base URL.
  const urls = { origin, router: `${origin}${prefix}`, anthropic: `${origin}${prefix.replace(/\/v1$/, "")}` };
  writeEnvironmentFile(environmentFile, { ...urls, keys, password });
  const dashboard = { url: `${origin}${dashboardPath}/`, user: "admin", password, isNew };
  const started = { ...urls, keys, description: upstream.description, stores, environmentFile, dashboard };
  // With a real provider, requests would cost money.
  if (upstream.isOffline) await showDemonstration(stores, models, started);
  console.log(process.env["QUICKSTART_JSON"] === "1" ? announceAsJson(started) : announce(started));
}

/** Fills the dashboard at the first start. */
async function showDemonstration(
  stores: QuickstartStores,
  models: readonly ModelConfig[],
  served: Served,
): Promise<void> {
  const keys = await openCustomers(stores.keys, stores.balances);
  if (await fillUsage(stores.usage, { keys, models })) await sendTraffic(served);
}

/** A damaged file may open without an error and fail at the first query. */
async function openDemonstration(stores: QuickstartStores) {
  try {
    await revokeStaleKeys(stores.keys);
    const accounts = await openAccounts(stores);
    return { accounts, keys: await issueDemonstrationKeys(stores.keys, accounts) };
  } catch (error) {
    throw unusable(stores.file, error);
  }
}

function reportFailure(event: GatewayEvent): void {
  if (event.type !== "attempt.failed") return;
  const { provider, upstreamModel, failure, detail } = event;
  console.error(`${provider} failed for ${upstreamModel}: ${[failure, detail].filter(Boolean).join(", ")}`);
}

async function finish(end: () => Promise<void>, running: number): Promise<void> {
  if (running > 0) console.error(`Finishing ${running} running request(s). Press Ctrl-C again to stop immediately.`);
  await end();
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inUse = "code" in error && error.code === "EADDRINUSE";
  return inUse
    ? "The port is in use. Stop the program that uses it, or choose another port: PORT=8788 npm start"
    : error.message;
}

main().catch((error: unknown) => {
  console.error(`The quickstart cannot start. ${explain(error)}`);
  process.exit(1);
});
