import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { turnOffShortcuts } from "@tollgate/core/internal";
import { tollgate as inExpress } from "@tollgate/express";
import { tollgate as inFastify } from "@tollgate/fastify";
import { tollgate as inHono } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import type { DurableRouter } from "../durable/places.ts";
import { openDurableStores } from "./bench-stores.ts";
import type { Contender } from "./contender.ts";
import { fullGateway } from "./full-gateway.ts";

const prefix = "/router/v1";

/** The gateway on node:http. */
export async function router(upstreamPort: number): Promise<Contender> {
  const { gateway, apiKey, apiKeys } = await fullGateway(upstreamPort);
  return { server: createServer(nodeHandler(gateway, { prefix })), apiKey, apiKeys };
}

/** The gateway with its balances, keys and terms in a database. */
export async function durableRouter(name: DurableRouter, upstreamPort: number, address: string): Promise<Contender> {
  const stores = await openDurableStores(name, address);
  const { gateway, apiKey, apiKeys } = await fullGateway(upstreamPort, stores);
  return { server: createServer(nodeHandler(gateway, { prefix })), apiKey, apiKeys };
}

/** The gateway, which parses and writes every request and every answer. */
export function plainRouter(upstreamPort: number): Promise<Contender> {
  turnOffShortcuts();
  return router(upstreamPort);
}

/** The gateway, which @whatwg-node/server carries on node:http. */
export async function fetchRouter(upstreamPort: number): Promise<Contender> {
  const { gateway, apiKey } = await fullGateway(upstreamPort);
  return { server: createServer(nodeHandler(gateway, { prefix, edge: "fetch" })), apiKey };
}

/** The gateway mounted in Express. */
export async function routerUnderExpress(upstreamPort: number): Promise<Contender> {
  const { gateway, apiKey } = await fullGateway(upstreamPort);
  const app = express();
  app.use(prefix, inExpress(gateway));
  return { server: createServer(app), apiKey };
}

/** The gateway mounted in Fastify. */
export async function routerUnderFastify(upstreamPort: number): Promise<Contender> {
  const { gateway, apiKey } = await fullGateway(upstreamPort);
  const app = fastify();
  app.register(inFastify, { gateway, prefix });
  await app.ready();
  return { server: app.server, apiKey };
}

/** The gateway mounted in Hono on Node. */
export async function routerUnderHono(upstreamPort: number): Promise<Contender> {
  const { gateway, apiKey } = await fullGateway(upstreamPort);
  const app = new Hono();
  app.use(`${prefix}/*`, inHono(gateway));
  return { server: createServer(getRequestListener(app.fetch)), apiKey };
}
