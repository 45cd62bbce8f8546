import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { tollgate as expressTollgate } from "@tollgate/express";
import { tollgate as honoTollgate } from "@tollgate/hono";
import { nodeHandler } from "@tollgate/node";
import express, { type ErrorRequestHandler } from "express";
import { Hono } from "hono";
import Koa, { type Middleware } from "koa";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { edges, type Host, listen } from "./mounts/mount.ts";

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => warn.mockRestore());

const warnings = () => warn.mock.calls.map(([text]) => String(text));
const onNode = expect.stringContaining("Mount Tollgate before the middleware that reads the body");
const onFetch = expect.stringContaining("gateway.fetch(request, { parsedBody: await request.text() })");

function setStage() {
  const { gateway, provider, key } = gatewayUnderTest();
  provider.script = { complete: async () => completionOf("Hi") };
  return { gateway, key };
}

const request = (url: string, key: string): Request => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" };
  const body = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] });
  return new Request(`${url}/router/v1/chat/completions`, { method: "POST", headers, body });
};

/** Sends a completion twice and returns the statuses. */
async function askTwice({ port }: Host, key: string): Promise<readonly number[]> {
  const send = async () => (await fetch(request(`http://127.0.0.1:${port}`, key))).status;
  return [await send(), await send()];
}

/** As the body parsers of Koa do. */
const parse: Middleware = async (ctx, next) => {
  const parts: Buffer[] = [];
  for await (const part of ctx.req) parts.push(part);
  Object.assign(ctx.request, { body: JSON.parse(Buffer.concat(parts).toString()) });
  return next();
};

describe.each(edges)("a body that the host has read and not kept, on the edge %s", (edge) => {
  it("is explained once by a mount in Koa, and accepted in `req.body`", async () => {
    const { gateway, key } = setStage();
    const handler = nodeHandler(gateway, { prefix: "/router/v1", edge });
    const wrong = await listen(
      createServer(
        new Koa()
          .use(parse)
          .use((ctx) => handler(ctx.req, ctx.res))
          .callback(),
      ),
    );
    expect(await askTwice(wrong, await key())).toEqual([500, 500]);
    await wrong.close();
    expect(warnings()).toEqual([onNode]);
    const kept: Middleware = (ctx, next) => {
      Object.assign(ctx.req, { body: Reflect.get(ctx.request, "body") });
      return next();
    };
    const app = new Koa()
      .use(parse)
      .use(kept)
      .use((ctx) => handler(ctx.req, ctx.res));
    const right = await listen(createServer(app.callback()));
    expect(await askTwice(right, await key())).toEqual([200, 200]);
    await right.close();
  });

  it("is explained once by a mount in Express, whose error handler prints nothing", async () => {
    const { gateway, key } = setStage();
    const messages: string[] = [];
    const quiet: ErrorRequestHandler = (error, _req, res, _next) => {
      messages.push(error.message);
      res.status(500).end();
    };
    const app = express().use((req, _res, next) => void req.resume().on("end", next));
    const host = await listen(createServer(app.use("/router/v1", expressTollgate(gateway, { edge })).use(quiet)));
    expect(await askTwice(host, await key())).toEqual([500, 500]);
    await host.close();
    expect([warnings(), messages]).toEqual([[onNode], [onNode, onNode]]);
  });

  it("is explained once by a mount in Hono", async () => {
    const { gateway, key } = setStage();
    const app = new Hono()
      .onError((_error, c) => c.text("", 500))
      .use(async (c, next) => {
        await c.req.raw.text();
        await next();
      });
    app.use("/router/v1/*", honoTollgate(gateway, { edge }));
    const host = await listen(createServer(getRequestListener(app.fetch)));
    expect(await askTwice(host, await key())).toEqual([500, 500]);
    await host.close();
    expect(warnings()).toEqual([edge === "fetch" ? onFetch : onNode]);
  });
});

describe("a body that was read before `fetch`", () => {
  it("is explained once, and the client is not blamed", async () => {
    const { gateway, key } = setStage();
    const secret = await key();
    for (let count = 0; count < 2; count++) {
      const used = request("http://host.test", secret);
      await used.json();
      const answer = await gateway.fetch(used);
      expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: "internal_error" } }]);
    }
    expect(warnings()).toEqual([onFetch]);
  });

  it("is accepted as `parsedBody`", async () => {
    const { gateway, key } = setStage();
    const used = request("http://host.test", await key());
    const parsedBody = await used.text();
    expect((await gateway.fetch(used, { parsedBody })).status).toBe(200);
    expect(warnings()).toEqual([]);
  });
});
