import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "@tollgate/core";
import type { ByteStream } from "@tollgate/core/provider";
import { collect } from "@tollgate/core/provider";
import { type PooledTransport, type PooledTransportOptions, pooledTransport } from "@tollgate/node";
import { afterEach, describe, expect, it } from "vitest";
import { failureOf, providerErrorOf } from "./calls.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

const open: (Upstream | PooledTransport)[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await ("destroy" in each ? each.destroy() : each.close());
});
const poolOf = (options?: PooledTransportOptions) => {
  const transport = pooledTransport(options);
  open.push(transport);
  return transport;
};
const upstreamOf = async (...parameters: Parameters<typeof httpUpstream>) => {
  const upstream = await httpUpstream(...parameters);
  open.push(upstream);
  return upstream;
};
const get = (transport: Transport, url: string, options: { signal?: AbortSignal; connectMs?: number } = {}) =>
  transport({ method: "GET", url, headers: {}, signal: new AbortController().signal, connectMs: 2_000, ...options });
const textOf = async (transport: Transport, url: string) =>
  new TextDecoder().decode(await collect((await get(transport, url)).body, 1_000));

/** Returns how a body ended for a sink with this `write`, and the number of bytes that it received. */
async function endOf(body: ByteStream, write: (chunk: Uint8Array) => void) {
  const received = { bytes: 0, end: "" };
  await new Promise<void>((resolve) => {
    const ended = (end: string) => () => {
      received.end = end;
      resolve();
    };
    body.pipeTo({
      write(chunk) {
        received.bytes += chunk.length;
        write(chunk);
      },
      close: ended("close"),
      fail: ended("fail"),
    });
  });
  return received;
}

describe("pooledTransport", () => {
  it.each([
    ["the last bytes", (response: ServerResponse) => setTimeout(() => response.end("0123456789"), 50), "close"],
    [
      "bytes before others",
      (response: ServerResponse) => setTimeout(() => response.write(Buffer.alloc(400_000)), 50),
      "fail",
    ],
  ])("reports the end of the body to a sink that throws for %s", async (_, answer, expected) => {
    const upstream = await upstreamOf((_request, response) => {
      response.flushHeaders();
      answer(response);
    });
    const { body } = await get(poolOf(), upstream.baseURL);
    const { end } = await endOf(body, () => {
      throw new Error("The response of the host rejects this chunk.");
    });
    expect(end).toBe(expected);
  });

  it("continues for a sink that pauses and resumes inside write", async () => {
    const upstream = await upstreamOf((_request, response) => response.end(Buffer.alloc(5_000_000)));
    const { body } = await get(poolOf(), upstream.baseURL);
    const received = await endOf(body, () => {
      body.pause();
      body.resume();
    });
    expect(received).toEqual({ bytes: 5_000_000, end: "close" });
  });

  it("fails to connect after the request's connectMs", async () => {
    // The second request waits for the only connection, which the first never releases.
    const upstream = await upstreamOf(() => undefined);
    const transport = poolOf({ connections: 1 });
    const first = failureOf(get(transport, upstream.baseURL));
    const startedAt = performance.now();
    const error = await providerErrorOf(get(transport, upstream.baseURL, { connectMs: 150 }));
    expect(error.failure).toBe("timeout");
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    // Less than the connection timeout of undici.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    await transport.destroy();
    expect(await first).toMatchObject({ failure: "unreachable" });
  });

  it("keeps the connection if a request that waits for it is aborted", async () => {
    const upstream = await upstreamOf((_request, response) => setTimeout(() => response.end("ok"), 100));
    const transport = poolOf({ connections: 1 });
    const controller = new AbortController();
    const first = textOf(transport, upstream.baseURL);
    const second = failureOf(get(transport, upstream.baseURL, { signal: controller.signal }));
    const third = textOf(transport, upstream.baseURL);
    controller.abort("gone");
    expect(await second).toBe("gone");
    expect([await first, await third]).toEqual(["ok", "ok"]);
    expect(upstream.connections()).toBe(1);
  });

  it("opens a connection for each parallel request", async () => {
    const upstream = await upstreamOf((_request, response) => setTimeout(() => response.end("ok"), 50));
    const transport = poolOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => textOf(transport, upstream.baseURL)));
    expect(answers).toEqual(Array.from({ length: 20 }, () => "ok"));
    expect(upstream.connections()).toBe(20);
  });

  it("delivers a complete body that arrived with its head, however late it is read", async () => {
    const upstream = await upstreamOf((_request, response) => response.end("ok"));
    const response = await get(poolOf(), upstream.baseURL);
    await sleep(50);
    expect(new TextDecoder().decode(await collect(response.body, 10))).toBe("ok");
  });

  it("buffers only a little of a body that is not read", async () => {
    const upstream = await upstreamOf((_request, response) => void response.end(Buffer.alloc(32 * 1024 * 1024)));
    const response = await get(poolOf(), upstream.baseURL);
    await sleep(200);
    const [socket] = upstream.sockets;
    expect(socket?.writableLength).toBeGreaterThan(16 * 1024 * 1024);
    expect((await collect(response.body, 32 * 1024 * 1024)).length).toBe(32 * 1024 * 1024);
  });

  it("lets a sink resume another stream inside write", async () => {
    const upstream = await upstreamOf((_request, response) => {
      for (let count = 0; count < 50; count += 1) setTimeout(() => response.write("x".repeat(1_000)), count * 2);
      setTimeout(() => response.end(), 150);
    });
    const transport = poolOf();
    const bodies = [(await get(transport, upstream.baseURL)).body, (await get(transport, upstream.baseURL)).body];
    const lengths = await Promise.all(
      bodies.map(
        (body, index) =>
          new Promise<number>((resolve, reject) => {
            let length = 0;
            const write = (chunk: Uint8Array) => {
              length += chunk.length;
              body.pause();
              bodies[1 - index]?.resume();
            };
            const timer = setInterval(() => body.resume(), 20);
            const close = () => {
              clearInterval(timer);
              resolve(length);
            };
            body.pipeTo({ write, close, fail: reject });
          }),
      ),
    );
    expect(lengths).toEqual([50_000, 50_000]);
  });

  it("joins the values of a repeated header, and returns undefined for an absent one", async () => {
    const upstream = await upstreamOf((_request, response) => response.setHeader("x-two", ["a", "b"]).end("ok"));
    const response = await get(poolOf(), upstream.baseURL);
    expect([response.header("x-two"), response.header("x-none")]).toEqual(["a, b", undefined]);
    response.body.cancel();
  });

  it("lets running requests finish on close, and rejects new ones", async () => {
    const upstream = await upstreamOf((_request, response) => setTimeout(() => response.end("ok"), 50));
    const transport = poolOf();
    const running = textOf(transport, upstream.baseURL);
    await sleep(20);
    const closing = transport.close();
    expect((await providerErrorOf(get(transport, upstream.baseURL))).failure).toBe("unreachable");
    expect(await running).toBe("ok");
    await closing;
  });

  it("fails running requests on destroy and closes their connections", async () => {
    const upstream = await upstreamOf(() => undefined);
    const transport = poolOf();
    const running = providerErrorOf(get(transport, upstream.baseURL));
    await sleep(20);
    const [socket] = upstream.sockets;
    const closed = socket === undefined ? undefined : once(socket, "close");
    await transport.destroy();
    expect((await running).failure).toBe("unreachable");
    await closed;
    expect(upstream.sockets.size).toBe(0);
  });
});
