import { createServer, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as fastifyTollgate, tollgateHandler } from "@tollgate/fastify";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type Host, listen } from "./mounts/mount.ts";

type Gateway = GatewayUnderTest["gateway"];

const header = "x-client";
const addressFrom = ({ headers }: Pick<IncomingMessage, "headers">) => String(headers[header]);

/** Each mount; if `readsHeader`, with a clientAddress option that reads the address from a header. */
const mounts: Record<string, (gateway: Gateway, readsHeader: boolean) => Promise<Host>> = {
  "node:http": (gateway, readsHeader) =>
    listen(
      createServer(
        nodeHandler(gateway, { prefix: "/router/v1", ...(readsHeader ? { clientAddress: addressFrom } : {}) }),
      ),
    ),
  Express: (gateway, readsHeader) =>
    listen(
      createServer(
        express().use("/router/v1", expressTollgate(gateway, readsHeader ? { clientAddress: addressFrom } : {})),
      ),
    ),
  Fastify: async (gateway, readsHeader) => {
    const app = Fastify();
    await app.register(fastifyTollgate, {
      gateway,
      prefix: "/router/v1",
      ...(readsHeader ? { clientAddress: addressFrom } : {}),
    });
    await app.ready();
    return listen(app.server);
  },
  "Fastify by a wildcard": async (gateway, readsHeader) => {
    const app = Fastify();
    app.all("/router/v1/*", tollgateHandler(gateway, "/router/v1", readsHeader ? { clientAddress: addressFrom } : {}));
    await app.ready();
    return listen(app.server);
  },
  Hono: (gateway, readsHeader) => {
    const options = readsHeader
      ? { clientAddress: (c: { req: { header(name: string): string | undefined } }) => c.req.header(header) }
      : {};
    const app = new Hono().use("/router/v1/*", honoTollgate(gateway, options));
    return listen(createServer(getRequestListener(app.fetch)));
  },
};

/** Returns the statuses of consecutive requests with unknown keys from an address. */
async function guess({ port }: Host, address: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) {
    const headers = { authorization: `Bearer guess-${address}-${n}`, [header]: address, connection: "close" };
    const answer = await fetch(`http://127.0.0.1:${port}/router/v1/models`, { headers });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

describe.each(Object.entries(mounts))("%s", (_name, mount) => {
  it("does not count a peer on loopback, which may be a proxy for all clients", async () => {
    const host = await mount(gatewayUnderTest({ maxFailedKeysPerMinute: 2 }).gateway, false);
    expect(new Set(await guess(host, "192.0.2.1", 30))).toEqual(new Set([401]));
    await host.close();
  });

  it("counts the address that the host's clientAddress returns, private or not", async () => {
    const host = await mount(gatewayUnderTest({ maxFailedKeysPerMinute: 2 }).gateway, true);
    for (const address of ["192.0.2.1", "10.0.0.1"]) {
      const statuses = await guess(host, address, 60);
      expect(statuses.slice(0, 2)).toEqual([401, 401]);
      expect(statuses).toContain(429);
    }
    await host.close();
  });
});
