import { createServer } from "node:http";
import multipart from "@fastify/multipart";
import { getRequestListener } from "@hono/node-server";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as fastifyTollgate } from "@tollgate/fastify";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import Fastify from "fastify";
import { type Context, Hono } from "hono";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type SessionsUnderTest, sessionsUnderTest } from "../support/sessions-under-test.ts";
import { honoApp } from "./mounts/hono-mount.ts";
import { listen, type Variant } from "./mounts/mount.ts";

function form(clientData: string | Blob = '{"a":"é"}'): FormData {
  const data = new FormData();
  data.append("assistant_id", "support");
  data.append("client_data", clientData);
  return data;
}

const file = new Blob(['{"a":"é"}'], { type: "application/json" });

type Send = (request: Request) => Response | Promise<Response>;

/** Creates a session with a form at a URL and deletes it. Returns the path in `Location`. */
async function createAndDelete(
  { key }: Pick<SessionsUnderTest, "key">,
  url: string,
  send: Send = fetch,
): Promise<string> {
  const headers = { authorization: `Bearer ${await key()}`, connection: "close" };
  const created = await send(new Request(url, { method: "POST", headers, body: form() }));
  expect([created.status, (await created.json()).client_data]).toEqual([201, { a: "é" }]);
  const location = created.headers.get("location") ?? "";
  const deleted = await send(new Request(new URL(location, url), { method: "DELETE", headers }));
  expect([deleted.status, deleted.body]).toEqual([204, null]);
  return location;
}

describe("Express", () => {
  it("returns the Location of a session below nested routers and parameters", async () => {
    const tested = sessionsUnderTest();
    const inner = express.Router().use("/v1", expressTollgate(tested.sessions));
    const host = await listen(createServer(express().use("/tenants/:tenant", express.Router().use("/chat", inner))));
    const location = await createAndDelete(tested, `http://127.0.0.1:${host.port}/tenants/acme/chat/v1/session`);
    expect(location).toMatch(/^\/tenants\/acme\/chat\/v1\/session\/[0-9a-f-]{36}$/);
    await host.close();
  });
});

describe("Fastify", () => {
  it("does not parse forms before the plugin, whatever parser the host has", async () => {
    const tested = sessionsUnderTest();
    const app = Fastify();
    await app.register(multipart, { attachFieldsToBody: true });
    await app.register(fastifyTollgate, { gateway: tested.sessions, prefix: "/v1" });
    await app.ready();
    const host = await listen(app.server);
    await createAndDelete(tested, `http://127.0.0.1:${host.port}/v1/session`);
    await host.close();
  });

  it("serves sessions below parameters", async () => {
    const tested = sessionsUnderTest();
    const app = Fastify();
    await app.register(fastifyTollgate, { gateway: tested.sessions, prefix: "/tenants/:tenant" });
    await app.ready();
    const host = await listen(app.server);
    const location = await createAndDelete(tested, `http://127.0.0.1:${host.port}/tenants/acme/session`);
    expect(location).toMatch(/^\/tenants\/acme\/session\/[0-9a-f-]{36}$/);
    await host.close();
  });

  it("finds a session if the instance ignores trailing slashes", async () => {
    const tested = sessionsUnderTest();
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
    await app.register(fastifyTollgate, { gateway: tested.sessions, prefix: "/tenants/:id" });
    const headers = { authorization: `Bearer ${await tested.key()}` };
    const created = await app.inject({
      method: "POST",
      url: "/tenants/1/session/",
      headers,
      payload: { assistant_id: "support" },
    });
    const path = created.headers.location ?? "";
    for (const suffix of ["", "/", "/messages/", "/logs/"]) {
      expect([suffix, (await app.inject({ url: `${path}${suffix}`, headers })).statusCode]).toEqual([suffix, 200]);
    }
    const other = await app.inject({ url: "/tenants/1/session/a%2Flogs", headers });
    expect(other.json()).toMatchObject({ error: { code: "session_not_found" } });
    await app.close();
  });

  it("serves the router and the session endpoints at one prefix", async () => {
    const router = gatewayUnderTest();
    const tested = sessionsUnderTest({ beside: router });
    const app = Fastify();
    for (const gateway of [router.gateway, tested.sessions])
      await app.register(fastifyTollgate, { gateway, prefix: "/v1" });
    await app.ready();
    const host = await listen(app.server);
    await createAndDelete(tested, `http://127.0.0.1:${host.port}/v1/session`);
    const headers = { authorization: `Bearer ${await router.key()}`, connection: "close" };
    expect((await fetch(`http://127.0.0.1:${host.port}/v1/models`, { headers })).status).toBe(200);
    await host.close();
  });
});

describe("node:http", () => {
  it("passes other paths from the session endpoints to the router at the root", async () => {
    const router = gatewayUnderTest();
    const tested = sessionsUnderTest({ beside: router });
    const [first, second] = [nodeHandler(tested.sessions), nodeHandler(router.gateway)];
    const host = await listen(createServer((req, res) => first(req, res, () => second(req, res))));
    await createAndDelete(tested, `http://127.0.0.1:${host.port}/session`);
    const headers = { authorization: `Bearer ${await router.key()}`, connection: "close" };
    expect((await fetch(`http://127.0.0.1:${host.port}/models`, { headers })).status).toBe(200);
    await host.close();
  });
});

describe("Hono without a server", () => {
  it.each<Variant>(["plain", "parsed", "middleware"])("creates and deletes a session, %s", async (variant) => {
    const tested = sessionsUnderTest();
    const app = honoApp({ "/v1": tested.sessions }, variant);
    const location = await createAndDelete(tested, "http://host.test/v1/session", (request) => app.fetch(request));
    expect(location).toMatch(/^\/v1\/session\//);
  });

  const readers: readonly (readonly [string, (c: Context) => Promise<unknown>])[] = [
    ["text", (c) => c.req.text()],
    ["bytes", (c) => c.req.arrayBuffer()],
    ["fields", (c) => c.req.parseBody()],
  ];

  it.each(readers)("accepts a form that middleware has read as %s", async (_name, read) => {
    const { key, sessions } = sessionsUnderTest();
    const app = new Hono()
      .use(async (c, next) => {
        await read(c);
        await next();
      })
      .use("/v1/*", honoTollgate(sessions));
    const headers = { authorization: `Bearer ${await key()}` };
    const created = await app.request("http://host.test/v1/session", { method: "POST", headers, body: form(file) });
    expect([created.status, (await created.json()).client_data]).toEqual([201, { a: "é" }]);
  });
});

describe("Hono on Node", () => {
  it("keeps headers that middleware sets before and after a 204", async () => {
    const { create, key, sessions } = sessionsUnderTest();
    const secret = await key();
    const { id } = await create(secret);
    const app = new Hono().use(async (c, next) => {
      c.header("x-before", "1");
      await next();
      c.header("x-native", String(c.res instanceof Response));
    });
    const host = await listen(createServer(getRequestListener(app.use("/v1/*", honoTollgate(sessions)).fetch)));
    const headers = { authorization: `Bearer ${secret}`, connection: "close" };
    const deleted = await fetch(`http://127.0.0.1:${host.port}/v1/session/${id}`, { method: "DELETE", headers });
    expect([deleted.status, deleted.headers.get("x-before"), deleted.headers.get("x-native")]).toEqual([
      204,
      "1",
      "true",
    ]);
    expect(deleted.headers.get("x-request-id")).toMatch(/^req_/);
    await host.close();
  });
});
