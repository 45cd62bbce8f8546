import type { KeyChangeSubscriber, RedisClient } from "@tollgate/redis";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { inject } from "vitest";

/** A client as a host would make it, with an `error` listener and fast reconnection. */
export interface Connection {
  readonly client: RedisClient & KeyChangeSubscriber & { publish(channel: string, message: string): Promise<unknown> };
  command(...words: [string, ...string[]]): Promise<unknown>;
  /** Ends the connection without asking the server. */
  close(): void;
}

const reconnectMs = 100;

/** Both clients with the defaults that their users get, not yet connected. */
export const makers = { "node-redis": makeNodeRedis, ioredis: makeIoRedis };

/** Both clients, connected. */
export const drivers = { "node-redis": connecting(makeNodeRedis), ioredis: connecting(makeIoRedis) };

/** Every client with its name, for `describe.each`. */
export const everyDriver = Object.entries(drivers);

/** The Redis of this test run. */
export function sharedRedis(): string {
  const url = inject("redis");
  if (url === undefined) throw new Error("These tests need Redis: start one on 127.0.0.1:6379.");
  return url;
}

/** For `describe.skipIf`: tests on Redis are left out where there is none, but never in CI. */
export const withoutRedis = inject("redis") === undefined && process.env["CI"] === undefined;

/** Says in the name of a group why it was left out. */
export const onRedis = (name: string): string => (withoutRedis ? `${name} (left out: there is no Redis here)` : name);

/** A prefix that no other test uses. */
export const freshPrefix = (): string => `test-${crypto.randomUUID()}`;

/** Every key that begins with the prefix. */
export async function keysOf({ command }: Connection, prefix: string): Promise<string[]> {
  const keys = await command("KEYS", `${prefix}:*`);
  return Array.isArray(keys) ? keys.map(String).sort() : [];
}

/** Leaves nothing behind that would live for hours. */
export async function dropKeys(connection: Connection, prefix: string): Promise<void> {
  const keys = await keysOf(connection, prefix);
  if (keys.length > 0) await connection.command("UNLINK", ...keys);
}

type Made = Connection & { connect(): Promise<unknown> };

function makeNodeRedis(url: string, name = "test"): Made {
  const client = createClient({ url, name, socket: { reconnectStrategy: reconnectMs } });
  client.on("error", () => undefined);
  return {
    client,
    connect: () => client.connect(),
    command: (...words) => client.sendCommand(words),
    close: () => client.destroy(),
  };
}

function makeIoRedis(url: string, connectionName = "test"): Made {
  const client = new Redis(url, { connectionName, lazyConnect: true, retryStrategy: () => reconnectMs });
  client.on("error", () => undefined);
  return {
    client,
    connect: () => client.connect(),
    command: (name, ...words) => client.call(name, ...words),
    close: () => client.disconnect(),
  };
}

function connecting(make: (url: string, name?: string) => Made): (url: string, name?: string) => Promise<Connection> {
  return async (url, name) => {
    const made = make(url, name);
    await made.connect();
    return made;
  };
}

/** The cluster clients, for limits alone. */
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
