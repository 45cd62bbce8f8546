import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryKeyStore } from "@tollgate/core";
import { type RedisClient, shareKeyChanges } from "@tollgate/redis";
import { describe, expect, it, vi } from "vitest";
import { type Connection, freshPrefix, makers } from "./connections.ts";
import { atTheEnd, count, limiterOn, share } from "./outage-scene.ts";

describe.each(Object.entries(makers))("when nothing ever answers on %s", (_, make) => {
  async function connecting(): Promise<Connection> {
    const { url, close } = await blackHole();
    const connection = make(url);
    atTheEnd(close, connection.close);
    connection.connect().catch(() => undefined);
    return connection;
  }

  it("a limiter answers in time, and leaves no heap of commands with the client", async () => {
    const { client } = await connecting();
    const sent = vi.fn();
    const { limiter, lost } = limiterOn(watched(client, sent));
    expect(await count(limiter, 3)).toBe(3);
    await lost();
    expect(await count(limiter, 1_000)).toBe(share - 3);
    await sleep(2_300);
    // The three that failed, and one probe, which the client still keeps.
    expect(sent).toHaveBeenCalledTimes(4);
  });

  it("keys are changed all the same, and their sharing can be ended", async () => {
    const { client } = await connecting();
    const keys = shareKeyChanges(memoryKeyStore(), { publisher: client, subscriber: client, channel: freshPrefix() });
    const { key } = await keys.create({ account: "acme", plan: "prepaid" });
    expect((await keys.revoke(key.id))?.revokedAt).toBeInstanceOf(Date);
    await keys.close();
  });
});

/** The client, which tells of each script that it is given. */
function watched(client: RedisClient, sent: () => void): RedisClient {
  const told = <Given extends unknown[], Answer>(call: (...given: Given) => Answer) => {
    return (...given: Given): Answer => {
      sent();
      return call(...given);
    };
  };
  return "evalSha" in client
    ? { eval: client.eval.bind(client), evalSha: told(client.evalSha.bind(client)) }
    : { eval: client.eval.bind(client), evalsha: told(client.evalsha.bind(client)) };
}

/** A server that accepts connections and says nothing. */
async function blackHole(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no port. Run the tests again.");
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `redis://127.0.0.1:${address.port}`, close };
}
