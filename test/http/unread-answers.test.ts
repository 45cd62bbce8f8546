import { connect } from "node:net";
import type { GatewayOptions } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { mountedOnce, mountedPlain, mountedWith } from "./mounts/mounts.ts";
import { RawConnection } from "./raw-connection.ts";

const prefix = "/router/v1";
const megabyte = 1024 * 1024;
/** More than the buffers of a connection. */
const long = 12 * megabyte;

async function setScene(mount: Mount, variant: Variant, bytes: number, streams: GatewayOptions["streams"] = {}) {
  const tested = gatewayUnderTest({ streams });
  tested.provider.script = { complete: async () => completionOf("x".repeat(bytes)) };
  const host = await mount.start({ [prefix]: tested.gateway }, variant);
  const secret = await tested.key();
  const body = JSON.stringify({ model: "plain", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] });
  const request = `POST ${prefix}/chat/completions HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${secret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  return {
    host,
    request,
    completedRequests: () => tested.events.filter(({ type }) => type === "request.completed").length,
  };
}

describe.each(mountedOnce.filter(({ variant }) => variant !== "parsed"))("$title", ({ mount, variant }) => {
  it("disconnects a client that never reads a long answer, so that the server can close", async () => {
    const { host, request, completedRequests } = await setScene(mount, variant, long, { stalledMs: 200 });
    const clients = await Promise.all([1, 2, 3].map(() => RawConnection.open(host.port)));
    for (const client of clients) {
      client.stopReading();
      client.write(request);
    }
    await expect.poll(completedRequests).toBe(3);
    await host.close();
    for (const client of clients) client.leave();
  });

  it("sends a long answer completely, and then another one on the same connection", async () => {
    const { host, request } = await setScene(mount, variant, 3 * megabyte);
    const client = await RawConnection.open(host.port);
    for (let n = 0; n < 2; n++) {
      client.write(request);
      const { status, body } = await client.response();
      expect(status).toBe(200);
      expect(JSON.parse(body).choices[0].message.content).toHaveLength(3 * megabyte);
    }
    client.leave();
    await host.close();
  });
});

describe.each(mountedWith("pipelined responses").filter(({ variant }) => variant === "plain"))(
  "$title",
  ({ mount }) => {
    it("disconnects a client that leaves pipelined responses unread if they exceed the total limit", async () => {
      const { host, client, request } = await openListed(mount, { maxBufferedBytes: megabyte });
      client.stopReading();
      client.write(request.repeat(Math.ceil(long / listedBytes)));
      await expect.poll(host.connections, { timeout: 10_000 }).toBe(0);
      client.leave();
      await host.close();
    });

    it("answers pipelined requests of a client that reads", async () => {
      const { host, client, request } = await openListed(mount);
      client.write(request.repeat(50));
      for (let n = 0; n < 50; n++) expect((await client.response()).body.length).toBeGreaterThan(listedBytes);
      client.leave();
      await host.close();
    });
  },
);

/** Less than what is written in chunks. */
const listedBytes = 40_000;

/** A connection to a host with a long list of models, and a request for the list. */
async function openListed(mount: Mount, streams: GatewayOptions["streams"] = {}) {
  const listed = { description: "x".repeat(listedBytes) };
  const targets = [{ provider: scriptedProvider(), model: "upstream-model" }];
  const models = [{ id: "plain", maxOutputTokens: 10, price: "free" as const, targets, extra: listed }];
  const { gateway, key } = gatewayUnderTest({ models, streams });
  const host = await mount.start({ [prefix]: gateway }, "plain");
  const authorization = `authorization: Bearer ${await key()}`;
  const request = `GET ${prefix}/models HTTP/1.1\r\nhost: h\r\n${authorization}\r\n\r\n`;
  return { host, client: await RawConnection.open(host.port), request };
}

const nodeAndFetch = mountedPlain.filter(({ title }) => title.startsWith("node:http") || title.startsWith("Fetch on"));

describe.each(nodeAndFetch)("$title", ({ mount, variant }) => {
  it("disconnects clients that do not read if their answers exceed the total limit, and serves one that reads", async () => {
    const { host, request, completedRequests } = await setScene(mount, variant, long, { maxBufferedBytes: 2 * long });
    const idle = Array.from({ length: 6 }, () => clientOf(host.port, request));
    for (const { socket } of idle) socket.pause();
    await expect.poll(completedRequests).toBe(6);
    // Until a client has been idle for a second, the newest one is disconnected.
    await expect.poll(() => clientOf(host.port, request).bytes, { timeout: 10_000 }).toBeGreaterThan(long);
    for (const { socket } of idle) socket.resume();
    const bytes = await Promise.all(idle.map((client) => client.bytes));
    expect(bytes.filter((count) => count > long).length).toBeLessThanOrEqual(3);
    await host.close();
  });
});

/** A client that counts the bytes of its answer until it is complete or the connection ends. */
function clientOf(port: number, request: string) {
  const socket = connect(port, "127.0.0.1");
  socket.write(request);
  const bytes = new Promise<number>((resolve) => {
    let count = 0;
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(count));
    socket.on("data", (chunk: Buffer) => {
      count += chunk.length;
      if (count > long) socket.destroy();
    });
  });
  return { socket, bytes };
}
