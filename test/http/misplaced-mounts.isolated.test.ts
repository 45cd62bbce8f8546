import { createServer, type RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Gateway } from "@tollgate/core";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as fastifyTollgate, tollgateHandler } from "@tollgate/fastify";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express5 from "express";
import express4 from "express4";
import Fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { edges, type Host, listen } from "./mounts/mount.ts";

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => warn.mockRestore());

const warnings = () => warn.mock.calls.map(([text]) => String(text));

type Start = (gateway: Gateway) => Host | Promise<Host>;
const on = (listener: RequestListener) => listen(createServer(listener));

async function onFastify(register: (app: FastifyInstance) => unknown): Promise<Host> {
  const app = Fastify();
  await register(app);
  await app.ready();
  return listen(app.server);
}

const onHono = (app: Hono) => on(getRequestListener(app.fetch));

/** Sends requests with a key to a host and returns their statuses. */
async function ask(host: Host, requests: readonly string[], key = "tg_any"): Promise<number[]> {
  const statuses: number[] = [];
  for (const request of requests) {
    const [method = "", path = ""] = request.split(" ");
    const headers = { authorization: `Bearer ${key}`, connection: "close" };
    const body = method === "POST" ? "{}" : null;
    statuses.push((await fetch(`http://127.0.0.1:${host.port}${path}`, { method, headers, body })).status);
  }
  return statuses;
}

const models = "GET /router/v1/models";
const chat = "POST /router/v1/chat/completions";

const expressLine = 'write `app.use("/router/v1", tollgate(gateway))`';
const fastifyLine = 'write `await app.register(tollgate, { gateway: gateway, prefix: "/router/v1" })`';
const handlerLine = 'write `app.all("/router/v1/*", tollgateHandler(gateway, "/router/v1"))`';
const honoLine = 'write `app.use("/router/v1/*", tollgate(gateway))`';
const nodeLine = 'write `nodeHandler(gateway, { prefix: "/router/v1" })`';

/** Mounts that requests do not reach, the first request with a key that gets 404, and the line that the host should write. */
const misplaced: readonly (readonly [string, Start, string, string])[] = [
  ["Express 5 without a prefix", (gateway) => on(express5().use(expressTollgate(gateway))), models, expressLine],
  ["Express 4 without a prefix", (gateway) => on(express4().use(expressTollgate(gateway))), chat, expressLine],
  ["Express with app.get", (gateway) => on(express5().get("/router/v1", expressTollgate(gateway))), chat, expressLine],
  [
    "Express with app.all and a wildcard",
    (gateway) => on(express5().all("/router/v1/*path", expressTollgate(gateway))),
    chat,
    expressLine,
  ],
  [
    "Express after the handler of 404",
    (gateway) => {
      const app = express5().use((_req, res) => void res.status(404).end());
      return on(app.use("/router/v1", expressTollgate(gateway)));
    },
    chat,
    expressLine,
  ],
  [
    "a Fastify plugin without a prefix",
    (gateway) => onFastify((app) => app.register(fastifyTollgate, { gateway })),
    models,
    fastifyLine,
  ],
  [
    "a Fastify plugin with its prefix twice",
    (gateway) =>
      onFastify((app) =>
        app.register(async (api) => void api.register(fastifyTollgate, { gateway, prefix: "/router/v1" }), {
          prefix: "/router/v1",
        }),
      ),
    chat,
    fastifyLine,
  ],
  [
    "a Fastify handler without a wildcard",
    (gateway) => onFastify((app) => app.all("/router/v1", tollgateHandler(gateway, "/router/v1"))),
    chat,
    handlerLine,
  ],
  [
    "a Fastify handler for another prefix than its route",
    (gateway) => onFastify((app) => app.all("/router/v1/*", tollgateHandler(gateway, "/v1"))),
    chat,
    handlerLine,
  ],
  ["Hono without a prefix", (gateway) => onHono(new Hono().use(honoTollgate(gateway))), chat, honoLine],
  [
    "Hono without a wildcard",
    (gateway) => onHono(new Hono().use("/router/v1", honoTollgate(gateway))),
    models,
    honoLine,
  ],
  [
    "Hono in a sub-app that was filled after it was routed",
    (gateway) => {
      const api = new Hono();
      const app = new Hono().route("/router/v1", api);
      api.use("/*", honoTollgate(gateway));
      return onHono(app);
    },
    chat,
    honoLine,
  ],
  [
    "Hono in a sub-app with the prefix twice",
    (gateway) => onHono(new Hono().route("/router/v1", new Hono().use("/router/v1/*", honoTollgate(gateway)))),
    chat,
    honoLine,
  ],
  [
    "node:http with another prefix",
    (gateway) => {
      const handler = nodeHandler(gateway, { prefix: "/llm" });
      return on((req, res) => void handler(req, res, () => res.writeHead(404).end()));
    },
    chat,
    nodeLine,
  ],
  ["node:http without a prefix and without next", (gateway) => on(nodeHandler(gateway)), models, nodeLine],
  [
    "Koa without a prefix",
    (gateway) => {
      const handler = nodeHandler(gateway);
      return on(
        new Koa()
          .use((ctx, next) => new Promise((done) => void handler(ctx.req, ctx.res, () => done(next()))))
          .callback(),
      );
    },
    chat,
    nodeLine,
  ],
  [
    "Hono's app.mount, which removes the prefix",
    (gateway) => onHono(new Hono().mount("/router/v1", (request) => gateway.fetch(request))),
    models,
    'call gateway.fetch(request, { basePath: "" })',
  ],
];

describe("a mount that requests miss", () => {
  it.each(misplaced)("is explained once: %s", async (_name, start, request, line) => {
    const { gateway } = gatewayUnderTest();
    const host = await start(gateway);
    expect(await ask(host, [request, request, chat, models])).toEqual([404, 404, 404, 404]);
    await host.close();
    const [method, path = ""] = request.split(" ");
    expect(warnings()).toEqual([expect.stringMatching(/^tollgate: /)]);
    expect(warnings()[0]).toContain(`"${path.replace("/router/v1", "")}" of \`gateway\``);
    expect(warnings()[0]).toContain(line);
    expect(warnings()[0]).toMatch(new RegExp(`^tollgate: ${method} "(?:${path})?`));
  });

  it("is explained by the method that does not reach it", async () => {
    const { gateway, key } = gatewayUnderTest();
    const secret = await key();
    const host = await onFastify((app) => app.get("/only-get/*", tollgateHandler(gateway, "/only-get")));
    expect(await ask(host, ["GET /only-get/models", "GET /only-get/models/unknown"], secret)).toEqual([200, 404]);
    expect(warnings()).toEqual([]);
    expect(await ask(host, ["POST /only-get/chat/completions"], secret)).toEqual([404]);
    await host.close();
    expect(warnings()).toEqual([
      'tollgate: POST "/only-get/chat/completions" was answered with 404: it did not reach the endpoint "/chat/completions" of `gateway`, which is mounted at "/only-get". To serve it there, write `app.all("/only-get/*", tollgateHandler(gateway, "/only-get"))`, for all methods and before all handlers that answer 404. Otherwise correct the base URL of the client.',
    ]);
  });

  it("names the session endpoints, also when their path ends like one of the router", async () => {
    const router = gatewayUnderTest();
    const { sessions } = sessionsUnderTest({ beside: router });
    const app = express5().use("/router/v1", expressTollgate(router.gateway)).use("/chat", expressTollgate(sessions));
    const host = await on(app);
    expect(await ask(host, ["POST /assistants/session/1/messages"])).toEqual([404]);
    await host.close();
    expect(warnings()).toEqual([expect.stringContaining('`app.use("/assistants", tollgate(gateway.sessions))`')]);
  });

  it("is explained to a host that calls `fetch`, without node:http", async () => {
    const { gateway } = gatewayUnderTest();
    const headers = { authorization: "Bearer tg_any" };
    const answer = await gateway.fetch(new Request("http://host.test/llm/models", { headers }));
    expect(answer.status).toBe(404);
    expect(warnings()).toEqual([expect.stringContaining('gateway.fetch(request, { basePath: "/llm" })')]);
  });

  it("is explained in Hono without node:http", async () => {
    const { gateway } = gatewayUnderTest();
    const headers = { authorization: "Bearer tg_any" };
    const app = new Hono().use(honoTollgate(gateway));
    expect((await app.request("/router/v1/models", { headers })).status).toBe(404);
    expect(warnings()).toEqual([expect.stringContaining(honoLine)]);
  });
});

describe("nothing is printed", () => {
  it("for requests without a key, and for other paths", async () => {
    const { gateway } = gatewayUnderTest();
    const host = await on(express5().use("/llm", expressTollgate(gateway)));
    expect((await fetch(`http://127.0.0.1:${host.port}/v1/models`)).status).toBe(404);
    expect(await ask(host, ["GET /llm/unknown", "GET /", "PUT /other/models", "HEAD /other/models"])).toEqual([
      404, 404, 404, 404,
    ]);
    await host.close();
    expect(warnings()).toEqual([]);
  });

  it("for a path that the host serves itself", async () => {
    const { gateway } = gatewayUnderTest();
    const app = express5().use("/llm", expressTollgate(gateway));
    app.get("/own/models", (_req, res) => void res.end());
    const host = await on(app);
    expect(await ask(host, ["GET /own/models"])).toEqual([200]);
    await host.close();
    expect(warnings()).toEqual([]);
  });

  it("for a 404 of a mount behind another", async () => {
    const router = gatewayUnderTest();
    const { sessions } = sessionsUnderTest({ beside: router });
    const app = new Hono().use(honoTollgate(router.gateway)).use("/assistants/*", honoTollgate(sessions));
    const headers = { authorization: `Bearer ${await router.key()}` };
    const body = '{"content":"Hello"}';
    const answer = await app.request("/assistants/session/1/messages", { method: "POST", headers, body });
    expect(answer.status).toBe(404);
    expect(warnings()).toEqual([]);
  });

  it("for a 404 of a mount itself, whatever other mounts there are", async () => {
    const router = gatewayUnderTest();
    const { sessions } = sessionsUnderTest({ beside: router });
    const key = await router.key();
    const app = express5().use("/first", expressTollgate(gatewayUnderTest().gateway));
    app.use("/second", expressTollgate(router.gateway)).use("/assistants", expressTollgate(sessions));
    const host = await on(app);
    const own = ["GET /second/models/unknown", "GET /assistants/session/1", "POST /assistants/session/1/messages"];
    expect(await ask(host, own, key)).toEqual([404, 404, 400]);
    await host.close();
    expect(warnings()).toEqual([]);
  });
});

describe("a prefix that the host removes from `req.url`", () => {
  it.each(edges)("may be the option of nodeHandler all the same: %s", async (edge) => {
    const { gateway, key } = gatewayUnderTest();
    const handler = nodeHandler(gateway, { prefix: "/router/v1", edge });
    const host = await on(express5().use("/router/v1", handler).use("/router/v1/*path", handler));
    expect(await ask(host, [models, "GET /router/v1/models/plain"], await key())).toEqual([200, 200]);
    expect(await ask(host, [chat])).toEqual([401]);
    await host.close();
    expect(warnings()).toEqual([]);
  });
});
