import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as fastifyTollgate } from "@tollgate/fastify";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { edges, type Host, listen } from "./mounts/mount.ts";
import { gatewayBehind } from "./scene.ts";

async function setStage() {
  const upstream = await startUpstream();
  const { gateway, key, events } = gatewayBehind(upstream);
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json", connection: "close" };
  return {
    gateway,
    events,
    headers,
    models: (host: Host, path: string) => fetch(`http://127.0.0.1:${host.port}${path}/models`, { headers }),
    async chat(host: Host, path: string, body: BodyInit = chat, signal: AbortSignal | null = null) {
      const init = { method: "POST", headers, body, duplex: "half", signal };
      const answer = fetch(`http://127.0.0.1:${host.port}${path}/chat/completions`, init);
      const call = await Promise.race([answer.then(() => undefined), upstream.nextCall()]);
      call?.json(completionOf("Hi"));
      return answer;
    },
    [Symbol.asyncDispose]: () => upstream.close(),
  };
}

const chat = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] });

/** A body without a length, so that it is sent in chunks. */
const chunked = () => new Blob([chat]).stream();

describe("Express", () => {
  it("serves below routers inside routers and below parameters", async () => {
    await using stage = await setStage();
    const inner = express.Router().use("/v1", expressTollgate(stage.gateway));
    const host = await listen(createServer(express().use("/tenants/:tenant", express.Router().use("/router", inner))));
    expect((await stage.models(host, "/tenants/acme/router/v1")).status).toBe(200);
    expect((await stage.chat(host, "/tenants/acme/router/v1")).status).toBe(200);
    await host.close();
  });

  it.each([
    ["express.text", express.text({ type: "*/*" })],
    ["express.raw", express.raw({ type: "*/*" })],
  ])("accepts the body that %s has parsed", async (_name, parser) => {
    await using stage = await setStage();
    const host = await listen(createServer(express().use(parser).use("/v1", expressTollgate(stage.gateway))));
    expect((await stage.chat(host, "/v1")).status).toBe(200);
    await host.close();
  });
});

describe("node:http", () => {
  it.each([
    ["/router/v1/", "/router/v1"],
    ["router/v1", "/router/v1"],
    ["/", ""],
  ])("serves at the prefix %s", async (prefix, path) => {
    await using stage = await setStage();
    const host = await listen(createServer(nodeHandler(stage.gateway, { prefix })));
    expect((await stage.models(host, path)).status).toBe(200);
    expect((await stage.chat(host, path)).status).toBe(200);
    await host.close();
  });

  it("returns 404 in JSON without a next handler, and names its prefix if the path is outside of it", async () => {
    await using stage = await setStage();
    const host = await listen(createServer(nodeHandler(stage.gateway, { prefix: "/llm/v2/" })));
    for (const [path, message] of [
      ["/v1", "This path is outside the gateway, which is mounted at /llm/v2."],
      ["/llm/v2/completions", "There is no endpoint at this path. The endpoints are /models, /models/{id},"],
    ] as const) {
      const answer = await stage.models(host, path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json"]);
      expect(await answer.json()).toEqual({
        error: { type: "not_found_error", code: "unknown_endpoint", message: expect.stringContaining(message) },
      });
    }
    const head = await fetch(`http://127.0.0.1:${host.port}/llm/v2/models`, { method: "HEAD", headers: stage.headers });
    expect([head.status, await head.text()]).toEqual([404, ""]);
    await host.close();
  });

  it.each(edges)(
    "without a next handler, returns 404 for unknown paths and 500 if the host consumed the body: %s",
    async (edge) => {
      await using stage = await setStage();
      const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
      onTestFinished(() => warn.mockRestore());
      const handler = nodeHandler(stage.gateway, { edge });
      const host = await listen(createServer((req, res) => void req.resume().on("end", () => handler(req, res))));
      expect((await stage.models(host, "/elsewhere")).status).toBe(404);
      expect((await stage.models(host, "")).status).toBe(200);
      expect((await stage.chat(host, "", "")).status).toBe(400);
      const failed = await stage.chat(host, "");
      expect([failed.status, await failed.text()]).toEqual([500, ""]);
      await host.close();
    },
  );

  it.each(edges)("calls no provider for a client that disconnected while the host read its body: %s", async (edge) => {
    await using stage = await setStage();
    const handler = nodeHandler(stage.gateway, { edge });
    const client = new AbortController();
    const host = await listen(
      createServer(async (req, res) => {
        const body = await json(req);
        client.abort();
        await once(res, "close");
        handler(Object.assign(req, { body }), res);
      }),
    );
    await expect(stage.chat(host, "", chat, client.signal)).rejects.toThrow("abort");
    await expect.poll(() => stage.events).toContainEqual(expect.objectContaining({ code: "client_gone" }));
    await host.close();
  });
});

describe("Fastify", () => {
  it.each([
    ["/router/v1/", "/router/v1", {}],
    ["/", "", {}],
    ["/tenants/:tenant/v1", "/tenants/acme/v1", {}],
    ["/the router", "/the%20router", {}],
    ["/router/v1", "/ROUTER/v1", { routerOptions: { caseSensitive: false } }],
    ["/router/v1", "/router//v1", { routerOptions: { ignoreDuplicateSlashes: true } }],
  ])("serves every path that its routes match: at the prefix %s", async (prefix, path, options) => {
    await using stage = await setStage();
    const app = Fastify(options);
    await app.register(fastifyTollgate, { gateway: stage.gateway, prefix });
    await app.ready();
    const host = await listen(app.server);
    expect((await stage.models(host, path)).status).toBe(200);
    expect((await stage.chat(host, path)).status).toBe(200);
    await host.close();
  });

  it.each(["", "json", "application/json, application/json", "text/plain"])(
    'reads a body whose Content-Type is "%s"',
    async (type) => {
      await using stage = await setStage();
      const app = Fastify();
      await app.register(fastifyTollgate, { gateway: stage.gateway, prefix: "/v1" });
      const headers = { ...stage.headers, "content-type": type };
      const answer = await app.inject({ method: "POST", url: "/v1/chat/completions", headers, payload: "{" });
      expect(answer.json()).toMatchObject({ error: { code: "invalid_json" } });
      await app.close();
    },
  );

  it("streams to a response of `inject`, which has no real socket", async () => {
    const upstream = await startUpstream();
    const { gateway, key } = gatewayBehind(upstream);
    const app = Fastify();
    await app.register(fastifyTollgate, { gateway, prefix: "/v1" });
    const headers = { authorization: `Bearer ${await key()}` };
    const payload = { model: "plain", messages: [{ role: "user", content: "Hello" }], stream: true };
    const answer = app.inject({ method: "POST", url: "/v1/chat/completions", headers, payload });
    (await upstream.nextCall()).json(completionOf("Hi"));
    expect((await answer).body).toMatch(/"content":"Hi".*data: \[DONE\]\n\n$/s);
    await app.close();
    await upstream.close();
  });

  it("leaves no timers after a response to `inject`", async () => {
    await using stage = await setStage();
    const app = Fastify();
    await app.register(fastifyTollgate, { gateway: stage.gateway, prefix: "/v1" });
    await app.ready();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await app.inject({ url: "/v1/models", headers: stage.headers })).statusCode).toBe(200);
    // Wait until lingering requests end: a timer that is left would now throw and end the process.
    vi.advanceTimersByTime(2_000);
    vi.useRealTimers();
    await app.close();
  });

  it("serves below nested prefixes and does not change the host's parsers", async () => {
    await using stage = await setStage();
    const app = Fastify();
    await app.register(
      async (api) => void (await api.register(fastifyTollgate, { gateway: stage.gateway, prefix: "/v1" })),
      {
        prefix: "/router",
      },
    );
    app.post("/echo", async (request) => request.body);
    await app.ready();
    const host = await listen(app.server);
    expect((await stage.models(host, "/router/v1")).status).toBe(200);
    expect((await stage.chat(host, "/router/v1")).status).toBe(200);
    const echo = await app.inject({ method: "POST", url: "/echo", payload: { a: 1 } });
    expect(echo.json()).toEqual({ a: 1 });
    await host.close();
  });
});

describe("Hono", () => {
  const hosting = (app: Hono) => listen(createServer(getRequestListener(app.fetch)));

  it.each([
    [
      "a sub-app",
      "/router/v1",
      (mounted: ReturnType<typeof honoTollgate>) => new Hono().route("/router/v1", new Hono().use(mounted)),
    ],
    [
      "a base path",
      "/api/v1",
      (mounted: ReturnType<typeof honoTollgate>) => new Hono().basePath("/api").use("/v1/*", mounted),
    ],
    ["a parameter", "/acme/v1", (mounted: ReturnType<typeof honoTollgate>) => new Hono().use("/:tenant/v1/*", mounted)],
    ["the root", "", (mounted: ReturnType<typeof honoTollgate>) => new Hono().use(mounted)],
    ["all()", "/v1", (mounted: ReturnType<typeof honoTollgate>) => new Hono().all("/v1/*", mounted)],
  ])("resolves its paths below %s", async (_name, path, makeApp) => {
    await using stage = await setStage();
    const host = await hosting(makeApp(honoTollgate(stage.gateway)));
    expect((await stage.models(host, path)).status).toBe(200);
    expect((await stage.chat(host, path)).status).toBe(200);
    await host.close();
  });

  it.each([
    ["a length", () => chat],
    ["chunks", chunked],
  ])("reads a body in %s behind bodyLimit", async (_name, body) => {
    await using stage = await setStage();
    const host = await hosting(new Hono().use(bodyLimit({ maxSize: 1_000 })).use("/v1/*", honoTollgate(stage.gateway)));
    expect((await stage.chat(host, "/v1", body())).status).toBe(200);
    await host.close();
  });

  it("keeps headers that middleware sets before and after it, and exposes the status to middleware", async () => {
    await using stage = await setStage();
    const statuses: number[] = [];
    const app = new Hono().use(async (c, next) => {
      c.header("x-before", "1");
      await next();
      statuses.push(c.res.status);
      c.header("x-after", "1");
    });
    const host = await hosting(app.use("/v1/*", honoTollgate(stage.gateway)));
    const { status, headers } = await stage.chat(host, "/v1");
    expect([status, headers.get("x-before"), headers.get("x-after")]).toEqual([200, "1", "1"]);
    expect(statuses).toEqual([200]);
    await host.close();
  });
});
