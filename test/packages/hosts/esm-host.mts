import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as fastifyTollgate, tollgateHandler } from "@tollgate/fastify";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler, pooledTransport } from "@tollgate/node";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";

/** A TypeScript host with ES modules. */
const provider = openaiCompatible({ baseURL: "https://api.openai.com/v1", apiKey: "sk-1" });
const gateway = createGateway({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  transport: pooledTransport(),
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [{ id: "plain", maxOutputTokens: 1, price: "free", targets: [{ provider, model: "gpt" }] }],
});

express().use("/v1", expressTollgate(gateway));
express().use(expressTollgate(gateway));
express.Router().use("/v1", expressTollgate(gateway));
await fastify().register(fastifyTollgate, { gateway, prefix: "/v1" });
fastify().all("/v1/*", tollgateHandler(gateway, "/v1"));
new Hono().use("/v1/*", honoTollgate(gateway));
new Hono<{ Variables: { user: string } }>().use("/v1/*", honoTollgate(gateway));
createServer(nodeHandler(gateway, { prefix: "/v1" }));
createSecureServer({ allowHTTP1: true }, nodeHandler(gateway, { prefix: "/v1" }));

// @ts-expect-error Checks that the types are not `any`: `plans` is required.
createGateway({ keys: memoryKeyStore(), balances: memoryBalanceStore(), models: [] });
