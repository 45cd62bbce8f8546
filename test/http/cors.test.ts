import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { CorsOptions, Mountable } from "@tollgate/core";
import { tollgate as tollgateExpress } from "@tollgate/express";
import { tollgate as tollgateFastify } from "@tollgate/fastify";
import { tollgate as tollgateHono } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { Browser } from "./browser.ts";
import { type Edge, edges, listen, type Mount, type Variant } from "./mounts/mount.ts";
import { mounted } from "./mounts/mounts.ts";

const page = "https://app.example";
const prefix = "/router/v1";

async function setPage(mount: Mount, variant: Variant, cors: CorsOptions | undefined, origin = page) {
  const router = gatewayUnderTest(cors === undefined ? {} : { cors });
  const { sessions } = sessionsUnderTest({ beside: router, ...(cors === undefined ? {} : { cors }) });
  const gateways: Record<string, Mountable> = { [prefix]: router.gateway, "/assistants": sessions };
  const host = await mount.start(gateways, variant);
  const secret = await router.key();
  const url = `http://127.0.0.1:${host.port}`;
  return {
    router,
    url,
    browser: new Browser(origin),
    bare: { authorization: `Bearer ${secret}` },
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", "x-stainless-lang": "js" },
    [Symbol.asyncDispose]: () => host.close(),
  };
}

const chat = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] });

// In the variant "middleware", CORS middleware of the host answers preflights first.
const ways = mounted.filter(({ variant }) => variant !== "middleware");

describe.each(ways)("$title", ({ mount, variant }) => {
  it("lets a page of an allowed origin use completions, models and sessions, and read the headers", async () => {
    await using stage = await setPage(mount, variant, { origins: [page] });
    const { browser, headers, url, router } = stage;
    router.provider.script = { complete: async () => completionOf("Hi"), stream: () => chunksOf(["Hi"]) };
    const completion = await browser.fetch(`${url}${prefix}/chat/completions`, { method: "POST", headers, body: chat });
    expect([completion.status, completion.readable["x-router-attempts"]]).toEqual([200, "1"]);
    expect(Number(completion.readable["x-ratelimit-remaining"])).toBeGreaterThan(0);
    expect(completion.readable["x-request-id"]).toMatch(/^req_/);
    const models = await browser.fetch(`${url}${prefix}/models/plain`, { headers: stage.bare });
    expect([models.status, JSON.parse(models.body).id]).toEqual([200, "plain"]);
    const body = '{"assistant_id":"support"}';
    const session = await browser.fetch(`${url}/assistants/session`, { method: "POST", headers, body });
    expect(session.status).toBe(201);
    const path = session.readable["location"] ?? "";
    const removed = await browser.fetch(new URL(path, url).href, { method: "DELETE", headers: stage.bare });
    expect(removed.status).toBe(204);
    expect(browser.preflights).toBe(4);
  });

  it("lets the page read errors, such as for a wrong key or an unknown path", async () => {
    await using stage = await setPage(mount, variant, { origins: (origin) => origin === page });
    const { browser, headers, url } = stage;
    const wrong = await browser.fetch(`${url}${prefix}/models`, { headers: { authorization: "Bearer tg_wrong" } });
    expect([wrong.status, JSON.parse(wrong.body).error.code]).toEqual([401, "invalid_api_key"]);
    expect(wrong.readable["www-authenticate"]).toBe("Bearer");
    const bad = await browser.fetch(`${url}${prefix}/chat/completions`, {
      method: "POST",
      headers,
      body: '{"model":1}',
    });
    expect([bad.status, bad.readable["x-request-id"]]).toEqual([400, expect.stringMatching(/^req_/)]);
  });

  it("prevents a page of another origin from sending requests and reading responses", async () => {
    await using stage = await setPage(mount, variant, { origins: [page] }, "https://evil.example");
    const { browser, bare, url } = stage;
    const asking = browser.fetch(`${url}${prefix}/models`, { headers: bare });
    await expect(asking).rejects.toThrow("preflight");
    const simple = await fetch(`${url}${prefix}/models`, { headers: { ...bare, origin: "https://evil.example" } });
    expect([simple.status, simple.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    expect(simple.headers.get("vary")).toMatch(/\bOrigin\b/i);
  });

  it("answers a preflight with 204, the methods of the path, and the requested headers", async () => {
    await using stage = await setPage(mount, variant, { origins: [page], maxAgeSeconds: 60 });
    const asked = { origin: page, "access-control-request-method": "POST", "access-control-request-headers": "a,x-b" };
    const answer = await fetch(`${stage.url}${prefix}/chat/completions`, { method: "OPTIONS", headers: asked });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "a,x-b",
      "access-control-max-age": "60",
      vary: "Origin, Access-Control-Request-Headers",
    });
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    const plain = await fetch(`${stage.url}${prefix}/models`, { method: "OPTIONS" });
    expect([plain.status, plain.headers.get("allow")]).toEqual([204, "GET, OPTIONS"]);
  });

  it("leaves HEAD and other paths to the host, and all OPTIONS requests without the option", async () => {
    await using stage = await setPage(mount, variant, { origins: [page] });
    const headers = { origin: page, "access-control-request-method": "GET" };
    const statusOf = async (path: string, method: string, url = stage.url) => {
      const answer = await fetch(`${url}${path}`, { method, headers });
      return [answer.headers.get("x-answered-by") ?? "gateway", answer.headers.has("access-control-allow-origin")];
    };
    expect(await statusOf(`${prefix}/models`, "OPTIONS")).toEqual(["gateway", true]);
    expect(await statusOf(`${prefix}/elsewhere`, "OPTIONS")).toEqual(["host", false]);
    expect(await statusOf(`${prefix}/models`, "HEAD")).toEqual(["host", false]);
    await using without = await setPage(mount, variant, undefined);
    expect(await statusOf(`${prefix}/models`, "OPTIONS", without.url)).toEqual(["host", false]);
    expect(await statusOf(`${prefix}/models`, "GET", without.url)).toEqual(["gateway", false]);
  });
});

describe.each(mounted.filter(({ variant }) => variant === "middleware"))("$title", ({ mount, variant }) => {
  it("sends one Access-Control-Allow-Origin if middleware of the host sets one as well", async () => {
    await using stage = await setPage(mount, variant, { origins: [page] });
    const { headers } = await fetch(`${stage.url}${prefix}/models`, { headers: { ...stage.bare, origin: page } });
    // Two values would be joined by a comma, which browsers reject.
    expect(["*", page]).toContain(headers.get("access-control-allow-origin"));
  });
});

describe("`Vary` of the host", () => {
  const hosts: Readonly<Record<string, (gateway: Mountable, edge: Edge) => Promise<Server>>> = {
    "node:http": async (gateway, edge) => {
      const handler = nodeHandler(gateway, { prefix, edge });
      return createServer((req, res) => void handler(req, res.setHeader("vary", "X-Own")));
    },
    Express: async (gateway, edge) => {
      const app = express().use((_req, res, next) => void next(res.vary("X-Own") && undefined));
      return createServer(app.use(prefix, tollgateExpress(gateway, { edge })));
    },
    Fastify: async (gateway, edge) => {
      const app = Fastify().addHook("onRequest", async (_request, reply) => void reply.header("vary", "X-Own"));
      await app.register(tollgateFastify, { gateway, prefix, edge });
      await app.ready();
      return app.server;
    },
    Hono: async (gateway, edge) => {
      const app = new Hono().use(async (c, next) => {
        c.header("vary", "X-Own");
        await next();
      });
      return createServer(getRequestListener(app.use(`${prefix}/*`, tollgateHono(gateway, { edge })).fetch));
    },
  };

  const ways = Object.entries(hosts).flatMap(([name, start]) => edges.map((edge) => ({ name, start, edge })));

  it.each(ways)("is merged with the gateway's in $name on the edge $edge", async ({ start, edge }) => {
    const { gateway, key } = gatewayUnderTest({ cors: { origins: [page] } });
    const host = await listen(await start(gateway, edge));
    const headers = { authorization: `Bearer ${await key()}`, connection: "close" };
    const url = `http://127.0.0.1:${host.port}${prefix}`;
    const models = await fetch(`${url}/models`, { headers });
    expect([models.status, models.headers.get("vary")]).toEqual([200, "X-Own, Origin"]);
    const refused = await fetch(`${url}/chat/completions`, { method: "POST", body: "{", headers });
    expect([refused.status, refused.headers.get("vary")]).toEqual([400, "X-Own, Origin"]);
    await host.close();
  });
});

describe("the option `cors`", () => {
  it("allows every origin with a wildcard, without Vary", async () => {
    const { gateway } = gatewayUnderTest({ cors: { origins: "*" } });
    const { headers } = await gateway.fetch(new Request(`http://host.test${prefix}/models`));
    expect([headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual(["*", null]);
  });

  it("rejects the promise of an async predicate", async () => {
    const { gateway } = gatewayUnderTest({ cors: { origins: Object.assign(async () => true) } });
    const request = new Request(`http://host.test${prefix}/models`, { headers: { origin: page } });
    expect((await gateway.fetch(request)).headers.has("access-control-allow-origin")).toBe(false);
  });

  it("is copied when the gateway is created", async () => {
    const origins: string[] = [];
    const { gateway } = gatewayUnderTest({ cors: { origins } });
    origins.push(page);
    const request = new Request(`http://host.test${prefix}/models`, { headers: { origin: page } });
    expect((await gateway.fetch(request)).headers.has("access-control-allow-origin")).toBe(false);
  });

  it("returns a masked 500 if the host's predicate throws", async () => {
    const { gateway } = gatewayUnderTest({
      cors: {
        origins: () => {
          throw new Error("db.internal is down");
        },
      },
    });
    const request = new Request(`http://host.test${prefix}/models`, { headers: { origin: page } });
    const answer = await gateway.fetch(request);
    expect([answer.status, (await answer.text()).includes("db.internal")]).toEqual([500, false]);
  });

  it.each([
    [
      { origins: ["https://app.example/"] },
      '`cors.origins[0]` must be an origin as browsers send it, in lower case and without a path, such as "https://app.example", not the string "https://app.example/"',
    ],
    [{ origins: ["https://*.example"] }, "`cors.origins[0]` must be an origin"],
    [{ origins: ["app.example"] }, "`cors.origins[0]` must be an origin"],
    [{}, "`cors.origins` is missing"],
    [{ origins: "all" }, "`cors.origins` must be a list"],
    [{ origins: "*", maxAgeSeconds: -1 }, "`cors.maxAgeSeconds` must be"],
  ])("rejects %j with a message that says what to do", (cors, problem) => {
    const options: object = { cors };
    expect(() => gatewayUnderTest(options)).toThrow(problem);
  });

  it("exposes every header that the gateway sets", async () => {
    const { gateway } = gatewayUnderTest({ cors: { origins: "*" } });
    const { headers } = await gateway.fetch(new Request(`http://host.test${prefix}/models`));
    const exposed = headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["retry-after", "x-request-id", ...ownHeaders()]));
  });
});

/** The header names in the source files that set them. */
function ownHeaders(): string[] {
  const sources = join(import.meta.dirname, "../../packages");
  const ofCore = ["steps", "access", "errors", "http", "request", "answering", "dialects", "extensions"];
  const folders = [...ofCore.map((folder) => `core/src/${folder}`), "assistants/src"];
  const texts = folders.flatMap((folder) =>
    readdirSync(join(sources, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(sources, folder, name), "utf8")),
  );
  const found = texts.flatMap((text) => text.match(/(?<=")x-(?:router|ratelimit|should|request)-[a-z-]+(?=")/g) ?? []);
  expect(found.length).toBeGreaterThan(5);
  return found;
}
