import { once } from "node:events";
import type { ServerOptions } from "node:http";
import { connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Gateway } from "@tollgate/core";
import { tollgate as tollgateExpress } from "@tollgate/express";
import { tollgate as tollgateFastify } from "@tollgate/fastify";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { limitedServer } from "../../../examples/mounts/src/limited-server.ts";
import { honoApp } from "../../http/mounts/hono-mount.ts";
import { listen } from "../../http/mounts/mount.ts";
import { gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { completionOf } from "../../support/scripted-provider.ts";
import { headOf, prefix } from "./hostile-request.ts";
import { askSteadily } from "./steady-client.ts";

const limits: ServerOptions = { headersTimeout: 400, connectionsCheckingInterval: 50 };

const servers = {
  "node:http": (gateway: Gateway) => limitedServer(nodeHandler(gateway, { prefix }), limits),
  Express: (gateway: Gateway) => limitedServer(express().use(prefix, tollgateExpress(gateway)), limits),
  Hono: (gateway: Gateway) => limitedServer(getRequestListener(honoApp({ [prefix]: gateway }, "plain").fetch), limits),
  async Fastify(gateway: Gateway) {
    const app = Fastify({ http: limits, requestTimeout: 120_000 });
    await app.register(tollgateFastify, { gateway, prefix });
    await app.ready();
    return app.server;
  },
} as const;

/** A client that sends one byte every 50 ms, and nothing at first. Resolves with what it received when it is disconnected. */
async function trickle(port: number, head: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  let received = "";
  let sent = 0;
  socket.on("data", (bytes) => {
    received += bytes;
  });
  const timer = setInterval(() => socket.write(head.charAt(sent++)), 50);
  await once(socket, "close");
  clearInterval(timer);
  return received;
}

describe.each(Object.entries(servers))("a server of %s with the limits of the guide", (_name, start) => {
  it("disconnects 100 clients that are slow within the headers and 100 that send nothing, and serves another one", async () => {
    const { gateway, provider, key, events } = gatewayUnderTest();
    provider.script = { complete: async () => completionOf("Hi") };
    const host = await listen(await start(gateway));
    const head = headOf("GET", `${prefix}/models`, await key());
    const slow = Array.from({ length: 200 }, (_, at) => trickle(host.port, at % 2 === 0 ? head : ""));
    const secret = await key();
    await askSteadily({ port: host.port, steady: secret, hostile: secret }, 5);
    const statuses = (await Promise.all(slow)).map((received) => received.slice(0, 12));
    expect(new Set(statuses)).toEqual(new Set(["HTTP/1.1 408"]));
    expect(events.filter(({ type }) => type === "request.started")).toHaveLength(5);
    await host.close();
  });
});
