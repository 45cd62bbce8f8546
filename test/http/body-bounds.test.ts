import { setTimeout as sleep } from "node:timers/promises";
import type { GatewayOptions } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import type { Mount } from "./mounts/mount.ts";
import { mountedPlain } from "./mounts/mounts.ts";
import { RawConnection } from "./raw-connection.ts";

const maxBodyBytes = 65_536;
const prefix = "/router/v1";

interface Scene extends AsyncDisposable {
  readonly gateway: ReturnType<typeof gatewayUnderTest>["gateway"];
  readonly key: ReturnType<typeof gatewayUnderTest>["key"];
  connect(): Promise<RawConnection>;
}

async function setScene(mount: Mount, options: Partial<GatewayOptions>): Promise<Scene> {
  const tested = gatewayUnderTest({ maxBodyBytes, ...options });
  tested.provider.script = { complete: async () => completionOf("Hi") };
  const { sessions } = sessionsUnderTest({ beside: tested, maxBodyBytes, ...options });
  const host = await mount.start({ [prefix]: tested.gateway, "": sessions }, "plain");
  const connections: RawConnection[] = [];
  return {
    gateway: tested.gateway,
    key: tested.key,
    async connect() {
      const connection = await RawConnection.open(host.port);
      connections.push(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.leave();
      await host.close();
    },
  };
}

const textOf = (bytes: number) =>
  JSON.stringify({ model: "plain", max_tokens: 5, messages: [{ role: "user", content: "x".repeat(bytes) }] });

function post(secret: string, text: string, path = `${prefix}/chat/completions`, type = "application/json"): string {
  const headers = { host: "h", authorization: `Bearer ${secret}`, "content-type": type, "content-length": text.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}

const half = (request: string) => request.slice(0, -Math.floor(maxBodyBytes / 8));
const errorOf = ({ status, body }: { readonly status: number; readonly body: string }) => ({
  status,
  ...JSON.parse(body).error,
});

/** Sends a complete request on a new connection. */
async function send(scene: Scene, request: string) {
  const client = await scene.connect();
  client.write(request);
  return client.response();
}

describe.each(mountedPlain)("$title", ({ mount }) => {
  it("answers a stalled body with 408 and closes the connection", async () => {
    await using scene = await setScene(mount, { bodies: { stalledMs: 100 } });
    const client = await scene.connect();
    client.write(half(post(await scene.key(), textOf(40_000))));
    const answer = await client.response();
    expect(errorOf(answer)).toMatchObject({ status: 408, type: "invalid_request_error", code: "request_timeout" });
    expect(answer.headers.get("connection")).toBe("close");
    await client.closed;
    expect(scene.gateway.inFlight()).toBe(0);
  });

  it("answers a short stalled body with 408", async () => {
    await using scene = await setScene(mount, { bodies: { stalledMs: 100 } });
    const client = await scene.connect();
    client.write(post(await scene.key(), textOf(10)).slice(0, -5));
    expect(await client.response()).toMatchObject({ status: 408 });
    await client.closed;
  });

  it("answers a body that is too slow with 408", async () => {
    await using scene = await setScene(mount, { bodies: { slowAfterMs: 200, minBytesPerSecond: 1_000_000 } });
    const client = await scene.connect();
    const request = post(await scene.key(), textOf(40_000));
    client.write(request.slice(0, 20_000));
    const answer = client.response();
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    for (let at = 20_000; !answered && at < request.length - 1; at++) {
      client.write(request.charAt(at));
      await sleep(10);
    }
    expect(errorOf(await answer)).toMatchObject({ status: 408, code: "request_timeout" });
    await client.closed;
  });

  it("answers a body that its key's share of the memory cannot hold with 503, while another key is served", async () => {
    await using scene = await setScene(mount, {
      maxBufferedRequestBytes: 4 * maxBodyBytes,
      bodies: { waitMs: 100 },
    });
    const [greedy, other] = [await scene.key(), await scene.key()];
    const first = await scene.connect();
    await first.writeAll(half(post(greedy, textOf(60_000))));
    // The bytes of the first body take a moment to arrive.
    await expect.poll(async () => (await send(scene, post(greedy, textOf(20_000)))).status).toBe(503);
    const refused = await send(scene, post(greedy, textOf(20_000)));
    expect(errorOf(refused)).toMatchObject({ status: 503, code: "over_capacity" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send(scene, post(other, textOf(20_000)))).status).toBe(200);
    first.leave();
    await expect.poll(async () => (await send(scene, post(greedy, textOf(20_000)))).status).toBe(200);
    await expect.poll(() => scene.gateway.inFlight()).toBe(0);
  });

  it("serves a body that waited for memory once another body is done", async () => {
    await using scene = await setScene(mount, {
      maxBufferedRequestBytes: 4 * maxBodyBytes,
      bodies: { waitMs: 60_000, stalledMs: 60_000 },
    });
    const secret = await scene.key();
    const first = await scene.connect();
    const request = post(secret, textOf(60_000));
    await first.writeAll(half(request));
    const second = await scene.connect();
    second.write(post(secret, textOf(20_000)));
    await expect.poll(() => scene.gateway.inFlight()).toBe(2);
    await first.writeAll(request.slice(half(request).length));
    expect((await first.response()).status).toBe(200);
    expect((await second.response()).status).toBe(200);
    expect(scene.gateway.inFlight()).toBe(0);
  });

  it("answers a key whose incomplete requests reach its share of running requests with 429, while another key is served", async () => {
    await using scene = await setScene(mount, { maxInFlightPerKey: 2 });
    const [greedy, other] = [await scene.key(), await scene.key()];
    const slow = [await scene.connect(), await scene.connect()];
    for (const client of slow) client.write(half(post(greedy, textOf(40_000))));
    await expect.poll(() => scene.gateway.inFlight()).toBe(2);
    const refused = await send(scene, half(post(greedy, textOf(40_000))));
    expect(errorOf(refused)).toMatchObject({ status: 429, metadata: { limit: "concurrency" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await send(scene, post(other, textOf(10)))).status).toBe(200);
    slow[0]?.leave();
    await expect.poll(async () => (await send(scene, post(greedy, textOf(10)))).status).toBe(200);
  });

  it("applies the concurrency limit of a key before bodies are read", async () => {
    await using scene = await setScene(mount, {});
    const narrow = await scene.key({ limits: { concurrency: 1 } });
    const client = await scene.connect();
    client.write(half(post(narrow, textOf(40_000))));
    await expect.poll(() => scene.gateway.inFlight()).toBe(1);
    expect(errorOf(await send(scene, post(narrow, textOf(10))))).toMatchObject({
      status: 429,
      metadata: { limit: "concurrency" },
    });
    const session = await scene.connect();
    session.write(half(post(narrow, textOf(40_000), "/session")));
    await expect.poll(async () => (await send(scene, post(narrow, "{}", "/session"))).status).toBe(429);
  });

  it.each(["application/json", "multipart/form-data; boundary=b"])(
    "answers a stalled body of a session with 408, as %s",
    async (type) => {
      await using scene = await setScene(mount, { bodies: { stalledMs: 100 } });
      const client = await scene.connect();
      const form = `--b\r\ncontent-disposition: form-data; name="client_data"\r\n\r\n${"x".repeat(40_000)}`;
      client.write(post(await scene.key(), form, "/session", type).slice(0, -30_000));
      expect(await client.response()).toMatchObject({ status: 408 });
      await client.closed;
    },
  );
});
