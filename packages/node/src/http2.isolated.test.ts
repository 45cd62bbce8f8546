import { once } from "node:events";
import { type ClientHttp2Session, connect, createServer } from "node:http2";
import { text } from "node:stream/consumers";
import { createGateway, memoryBalanceStore } from "@tollgate/core";
import type { GatewayResponse } from "@tollgate/core/internal";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { silentDiagnostics } from "../test-support/silent-diagnostics.ts";
import { withoutBackpressure } from "../test-support/without-backpressure.ts";
import { type NodeHandler, nodeHandler } from "./node-handler.ts";

/** Opens an HTTP/2 session to a server that uses the handler. */
async function sessionWith(handler: NodeHandler): Promise<ClientHttp2Session> {
  // The handler accepts requests of both HTTP versions.
  const server = createServer().on("request", handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  const session = connect(`http://127.0.0.1:${address.port}`);
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  return session;
}

const warnings: string[] = [];
const keep = ({ name }: Error) => void warnings.push(name);
beforeAll(() => void process.on("warning", keep));
afterAll(() => {
  process.off("warning", keep);
  // Node warns of a status text, which HTTP/2 does not have.
  expect(warnings).not.toContain("UnsupportedWarning");
});

const path = "/chat/completions";

/** Sends the answer through the direct edge and returns what an HTTP/2 client receives. */
async function exchange(answer: GatewayResponse): Promise<{ readonly status: unknown; readonly body: string }> {
  const gateway = {
    paths: [path],
    endpoint: () => "x",
    handle: async () => answer,
    fetch: () => Promise.reject(new Error("This gateway does not implement `fetch`.")),
    unread: withoutBackpressure,
    diagnostics: silentDiagnostics,
  };
  const session = await sessionWith(nodeHandler(gateway));
  const stream = session.request({ ":method": "POST", ":path": path });
  const [head] = await once(stream, "response");
  return { status: head[":status"], body: await text(stream) };
}

it("sends a text body", async () => {
  const headers = { "content-type": "application/json", "content-length": "7" };
  expect(await exchange({ status: 200, headers, body: '{"a":1}' })).toEqual({ status: 200, body: '{"a":1}' });
});

it("sends a stream without chunked coding", async () => {
  const body: GatewayResponse["body"] = {
    stalledMs: 1_000,
    onDrain: () => undefined,
    cancel: () => undefined,
    pipeTo(sink) {
      sink.write(Buffer.from("data: 1\n\n"));
      setTimeout(() => {
        sink.write(Buffer.from("data: 2\n\n"));
        sink.close();
      }, 20);
    },
  };
  const headers = { "content-type": "text/event-stream" };
  expect(await exchange({ status: 200, headers, body })).toEqual({ status: 200, body: "data: 1\n\ndata: 2\n\n" });
});

it.each(["direct", "fetch"] as const)(
  "answers a stalled body with 408 on the edge %s, and resets only its stream",
  async (edge) => {
    const gateway = createGateway({
      keys: { find: () => key, get: () => key, onChange: () => () => undefined },
      balances: memoryBalanceStore(),
      plans: [{ id: "p", billing: "none" }],
      models: [],
      bodies: { stalledMs: 100 },
    });
    const session = await sessionWith(nodeHandler(gateway, { edge }));
    const stream = session.request({ ":method": "POST", ":path": path, authorization: "Bearer key" });
    stream.write("{");
    const [head] = await once(stream, "response");
    expect([head[":status"], JSON.parse(await text(stream)).error.code]).toEqual([408, "request_timeout"]);
    const next = session.request({ ":path": "/models", authorization: "Bearer key" });
    const [answer] = await once(next, "response");
    expect([answer[":status"], gateway.inFlight()]).toEqual([200, 0]);
  },
);

it.each(["direct", "fetch"] as const)(
  "answers 413 to one large body after another on the edge %s, and closes each stream",
  async (edge) => {
    const gateway = createGateway({
      keys: { find: () => key, get: () => key, onChange: () => () => undefined },
      balances: memoryBalanceStore(),
      plans: [{ id: "p", billing: "none" }],
      models: [],
      maxBodyBytes: 65_536,
    });
    const session = await sessionWith(nodeHandler(gateway, { edge }));
    for (let count = 0; count < 3; count++) {
      const stream = session.request({ ":method": "POST", ":path": path, authorization: "Bearer key" });
      stream.end("x".repeat(4_194_304));
      const closed = once(stream, "close");
      const [head] = await once(stream, "response");
      expect([head[":status"], JSON.parse(await text(stream)).error.code]).toEqual([413, "payload_too_large"]);
      await closed;
    }
  },
);

const key = { id: "1", account: "a", plan: "p", lastFour: "abcd", createdAt: new Date() };
