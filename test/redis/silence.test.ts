import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryKeyStore } from "@tollgate/core";
import { type RedisClient, shareKeyChanges } from "@tollgate/redis";
import { describe, expect, it, vi } from "vitest";
import { type Connection, freshPrefix, makers } from "./connections.ts";
import { closeAfterTest, count, limiterOn, share } from "./outage-scene.ts";

describe.each(Object.entries(makers))("with a server that never replies, on %s", (_, make) => {
  async function openConnection(): Promise<Connection> {
    const { url, close } = await blackHole();
    const connection = make(url);
    closeAfterTest(close, connection.close);
    connection.connect().catch(() => undefined);
    return connection;
  }

  it("a limiter returns in time, and does not pile up commands in the client", async () => {
    const { client } = await openConnection();
    const sent = vi.fn();
    const { limiter, lost } = limiterOn(watched(client, sent));
    expect(await count(limiter, 3)).toBe(3);
    await lost();
    expect(await count(limiter, 1_000)).toBe(share - 3);
    await sleep(2_300);
    // The three calls that failed and one probe, which the client still has.
    expect(sent).toHaveBeenCalledTimes(4);
  });

  it("key changes succeed, and the sharing can be closed", async () => {
    const { client } = await openConnection();
    const keys = shareKeyChanges(memoryKeyStore(), { publisher: client, subscriber: client, channel: freshPrefix() });
    const { key } = await keys.create({ account: "acme", plan: "prepaid" });
    expect((await keys.revoke(key.id))?.revokedAt).toBeInstanceOf(Date);
    await keys.close();
  });
});

/** A client that calls `sent` for each script. */
function watched(client: RedisClient, sent: () => void): RedisClient {
  const counted = <Args extends unknown[], Result>(call: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      sent();
      return call(...args);
    };
  };
  return "evalSha" in client
    ? { eval: client.eval.bind(client), evalSha: counted(client.evalSha.bind(client)) }
    : { eval: client.eval.bind(client), evalsha: counted(client.evalsha.bind(client)) };
}

/** A server that accepts connections and never replies. */
async function blackHole(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port. Run the tests again.");
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `redis://127.0.0.1:${address.port}`, close };
}
