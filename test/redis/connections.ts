import type { KeyChangeSubscriber, RedisClient } from "@tollgate/redis";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster, createSentinel } from "redis";
import { inject } from "vitest";

/** A client as a host creates it, with an `error` listener and fast reconnection. */
export interface Connection {
  readonly client: RedisClient & KeyChangeSubscriber & { publish(channel: string, message: string): Promise<unknown> };
  command(...words: [string, ...string[]]): Promise<unknown>;
  /** Closes the connection without waiting for the server. */
  close(): void;
}

const reconnectMs = 100;

/** Both clients with their default options, not connected. */
export const makers = { "node-redis": makeNodeRedis, ioredis: makeIoRedis };

/** Both clients, connected. */
export const drivers = { "node-redis": connected(makeNodeRedis), ioredis: connected(makeIoRedis) };

/** Each client with its name, for `describe.each`. */
export const everyDriver = Object.entries(drivers);

/** The Redis of this test run. */
export function sharedRedis(): string {
  const url = inject("redis");
  if (url === undefined) throw new Error("These tests need Redis: start one on 127.0.0.1:6379.");
  return url;
}

/** For `describe.skipIf`: tests on Redis are skipped without it, except in CI. */
export const withoutRedis = inject("redis") === undefined && process.env["CI"] === undefined;

/** Adds the reason for skipping to the title of a group. */
export const onRedis = (title: string): string => (withoutRedis ? `${title} (skipped: Redis is not available)` : title);

/** A prefix that no other test uses. */
export const freshPrefix = (): string => `test-${crypto.randomUUID()}`;

/** Lists the keys with the prefix. */
export async function keysOf({ command }: Connection, prefix: string): Promise<string[]> {
  const keys = await command("KEYS", `${prefix}:*`);
  return Array.isArray(keys) ? keys.map(String).sort() : [];
}

/** Deletes the keys with the prefix, some of which would live for hours. */
export async function dropKeys(connection: Connection, prefix: string): Promise<void> {
  const keys = await keysOf(connection, prefix);
  if (keys.length > 0) await connection.command("UNLINK", ...keys);
}

type Unconnected = Connection & { connect(): Promise<unknown> };

function makeNodeRedis(url: string, name = "test"): Unconnected {
  const client = createClient({ url, name, socket: { reconnectStrategy: reconnectMs } });
  client.on("error", () => undefined);
  return {
    client,
    connect: () => client.connect(),
    command: (...words) => client.sendCommand(words),
    close: () => client.destroy(),
  };
}

function makeIoRedis(url: string, connectionName = "test"): Unconnected {
  const client = new Redis(url, { connectionName, lazyConnect: true, retryStrategy: () => reconnectMs });
  client.on("error", () => undefined);
  return {
    client,
    connect: () => client.connect(),
    command: (name, ...words) => client.call(name, ...words),
    close: () => client.disconnect(),
  };
}

function connected(
  make: (url: string, name?: string) => Unconnected,
): (url: string, name?: string) => Promise<Connection> {
  return async (url, name) => {
    const connection = make(url, name);
    await connection.connect();
    return connection;
  };
}

/** The cluster clients, for limits only. */
export const clusterDrivers = {
  "node-redis": async (url: string) => {
    const client = createCluster({ rootNodes: [{ url }] });
    client.on("error", () => undefined);
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  ioredis: async (url: string) => {
    const client = new Cluster([url], { lazyConnect: true });
    client.on("error", () => undefined);
    await client.connect();
    return { client, close: () => client.disconnect() };
  },
} satisfies Record<string, (url: string) => Promise<{ readonly client: RedisClient; close(): void }>>;

/** The clients that find their server through a Sentinel. */
export const sentinelDrivers = {
  "node-redis": async (name: string, port: number) => {
    const client = createSentinel({ name, sentinelRootNodes: [{ host: "127.0.0.1", port }], scanInterval: 200 });
    client.on("error", () => undefined);
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  ioredis: async (name: string, port: number) => {
    const client = new Redis({ name, sentinels: [{ host: "127.0.0.1", port }], lazyConnect: true });
    client.on("error", () => undefined);
    await client.connect();
    return { client, close: () => client.disconnect() };
  },
} satisfies Record<string, (name: string, port: number) => Promise<{ readonly client: RedisClient; close(): void }>>;
