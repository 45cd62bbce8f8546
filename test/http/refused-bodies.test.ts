import { createServer, type Server } from "node:http";
import multipart from "@fastify/multipart";
import { tollgate as tollgateExpress } from "@tollgate/express";
import { tollgate as tollgateFastify, tollgateHandler } from "@tollgate/fastify";
import express5, { type ErrorRequestHandler } from "express";
import express4 from "express4";
import Fastify from "fastify";
import multer from "multer";
import { describe, expect, it } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { type Edge, edges, hostMark, listen } from "./mounts/mount.ts";
import { RawConnection } from "./raw-connection.ts";
import { gatewayBehind, prefix } from "./scene.ts";

type Gateway = ReturnType<typeof gatewayBehind>["gateway"];
const limit = 1_000;

function expressHost(express: typeof express5) {
  return async (gateway: Gateway, edge: Edge): Promise<Server> => {
    const onError: ErrorRequestHandler = (error, _req, res, _next) =>
      void res
        .status(error.status ?? 500)
        .set(hostMark)
        .end();
    const app = express()
      .use(express.json({ limit }))
      .use(express.urlencoded({ limit, extended: false }));
    app.use(prefix, tollgateExpress(gateway, { edge }));
    return createServer(app.use(onError));
  };
}

const hosts: Readonly<Record<string, (gateway: Gateway, edge: Edge) => Promise<Server>>> = {
  "Express 4": expressHost(express4),
  "Express 5": expressHost(express5),
  "Fastify behind its parsers": async (gateway, edge) => {
    const app = Fastify({ bodyLimit: limit });
    app.setErrorHandler(({ statusCode }: { statusCode?: number }, _request, reply) =>
      reply
        .code(statusCode ?? 500)
        .headers(hostMark)
        .send(),
    );
    app.all(`${prefix}/*`, tollgateHandler(gateway, prefix, { edge }));
    app.post("/own", async () => "");
    await app.ready();
    return app.server;
  },
};

async function setStage(start: (gateway: Gateway) => Promise<Server>) {
  const upstream = await startUpstream();
  const { gateway, key } = gatewayBehind(upstream);
  const host = await listen(await start(gateway));
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json", connection: "close" };
  return {
    upstream,
    port: host.port,
    headers,
    async post(body: string, more: Readonly<Record<string, string>> = {}, path = `${prefix}/chat/completions`) {
      const url = `http://127.0.0.1:${host.port}${path}`;
      const answer = await fetch(url, { method: "POST", headers: { ...headers, ...more }, body });
      const text = await answer.text();
      const { error } = answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : { error: {} };
      return { status: answer.status, by: answer.headers.get("x-answered-by"), headers: answer.headers, ...error };
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await upstream.close();
    },
  };
}

const chat = (content = "Hello") => JSON.stringify({ model: "plain", messages: [{ role: "user", content }] });

const ways = Object.entries(hosts).flatMap(([name, start]) =>
  edges.map((edge) => ({ name, edge, start: (gateway: Gateway) => start(gateway, edge) })),
);

describe.each(ways)("$name, $edge edge", ({ name, start }) => {
  it("answers a body over the parser's limit with the gateway's 413, which names that limit", async () => {
    await using stage = await setStage(start);
    expect(await stage.post(chat("x".repeat(2_000)))).toMatchObject({
      status: 413,
      code: "payload_too_large",
      type: "invalid_request_error",
      metadata: { limit_bytes: limit },
    });
  });

  it("answers a body that is not JSON with the gateway's 400", async () => {
    await using stage = await setStage(start);
    const refused = await stage.post('{"model":');
    expect(refused).toMatchObject({ status: 400, code: "invalid_json" });
    expect(refused.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it("answers a body of an unsupported charset or type with the gateway's 400", async () => {
    await using stage = await setStage(start);
    const type = name.startsWith("Express") ? "application/json; charset=latin2" : "application/x-unknown";
    expect(await stage.post(chat(), { "content-type": type })).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("checks the key before it reports an error in the body", async () => {
    await using stage = await setStage(start);
    const wrong = { authorization: "Bearer tg_wrong" };
    expect(await stage.post('{"model":', wrong)).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(await stage.post(chat("x".repeat(2_000)), wrong)).toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  it("does not affect other paths, or bodies that the parser accepts", async () => {
    await using stage = await setStage(start);
    for (const path of name.startsWith("Express") ? [`${prefix}/elsewhere`, "/own"] : ["/own"])
      expect(await stage.post('{"model":', {}, path)).toMatchObject({ status: 400, by: "host" });
    const answer = stage.post(chat());
    (await stage.upstream.nextCall()).json(completionOf("Hi"));
    expect(await answer).toMatchObject({ status: 200 });
  });

  it("lets a client read the 413 after it has sent a large body", async () => {
    await using stage = await setStage(start);
    const client = await RawConnection.open(stage.port);
    client.stopReading();
    const body = chat("x".repeat(2_000_000));
    const head = { ...stage.headers, host: "x", "content-length": body.length, connection: "keep-alive" };
    const lines = Object.entries(head).map(([header, value]) => `${header}: ${value}\r\n`);
    await client.writeAll(`POST ${prefix}/chat/completions HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
    client.readOn();
    const { status, body: text } = await client.response();
    expect([status, JSON.parse(text).error.code]).toEqual([413, "payload_too_large"]);
    client.leave();
  });
});

describe("a form beyond the limit of the host's parser", () => {
  const form = () => {
    const data = new FormData();
    data.set("assistant_id", "support");
    data.set("client_data", JSON.stringify({ a: "x".repeat(2_000) }));
    return data;
  };
  const starts: Readonly<
    Record<string, (sessions: ReturnType<typeof sessionsUnderTest>["sessions"]) => Promise<Server>>
  > = {
    "multer in Express": async (sessions) =>
      createServer(
        express5()
          .use(multer({ limits: { fieldSize: limit } }).none())
          .use("/v1", tollgateExpress(sessions)),
      ),
    "@fastify/multipart": async (sessions) => {
      const app = Fastify();
      await app.register(multipart, { attachFieldsToBody: "keyValues", limits: { fieldSize: limit, fields: 1 } });
      app.all("/v1/*", tollgateHandler(sessions, "/v1"));
      await app.ready();
      return app.server;
    },
  };

  it.each(Object.entries(starts))("is answered with the gateway's 413 with %s", async (_name, start) => {
    const { sessions, key } = sessionsUnderTest();
    const host = await listen(await start(sessions));
    const headers = { authorization: `Bearer ${await key()}`, connection: "close" };
    const answer = await fetch(`http://127.0.0.1:${host.port}/v1/session`, { method: "POST", headers, body: form() });
    expect([answer.status, (await answer.json()).error.code]).toEqual([413, "payload_too_large"]);
    await host.close();
  });
});

describe("Fastify as a plugin", () => {
  it("ignores the body limit of the host, and passes errors of hooks to the host", async () => {
    await using stage = await setStage(async (gateway) => {
      const app = Fastify({ bodyLimit: limit });
      app.setErrorHandler((_error, _request, reply) => reply.code(418).headers(hostMark).send());
      app.addHook("preHandler", async ({ headers }) => {
        if (headers["x-fail"] === "1") throw new Error("The host's own.");
      });
      await app.register(tollgateFastify, { gateway, prefix });
      await app.ready();
      return app.server;
    });
    expect(await stage.post(chat("x".repeat(2_000)), { "x-fail": "1" })).toMatchObject({ status: 418, by: "host" });
    const answer = stage.post(chat("x".repeat(2_000)));
    (await stage.upstream.nextCall()).json(completionOf("Hi"));
    expect(await answer).toMatchObject({ status: 200 });
  });
});
