import { setTimeout as sleep } from "node:timers/promises";
import { keyStoreContract } from "@tollgate/contract";
import { memoryKeyStore } from "@tollgate/core";
import type { IssuedKey, KeyAdmin, KeyStore } from "@tollgate/core/store";
import { ChangeListeners } from "@tollgate/core/store";
import { type KeyChangesEvent, type SharedKeys, shareKeyChanges } from "@tollgate/redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type Connection, everyDriver, freshPrefix, onRedis, sharedRedis, withoutRedis } from "./connections.ts";

/** One of several processes: it has a gateway and connections of its own, and shares the records. */
interface Process {
  readonly keys: SharedKeys;
  readonly publisher: Connection;
  /** The name of the subscribing connection. */
  readonly subscriberName: string;
  /** Sends a request with the key and returns its status. */
  status(secret: string): Promise<number>;
  readonly reported: (string | undefined)[];
  readonly events: KeyChangesEvent[];
}

const soon = { timeout: 10_000, interval: 10 };

describe.skipIf(withoutRedis).each(everyDriver)(onRedis("key changes on %s"), (_, open) => {
  let channel = "";
  let records: KeyStore & KeyAdmin;
  let closing: (() => unknown)[] = [];
  beforeEach(() => {
    channel = freshPrefix();
    records = memoryKeyStore();
  });
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  async function start(): Promise<Process> {
    const subscriberName = freshPrefix();
    const [publisher, subscriber] = await Promise.all([open(sharedRedis()), open(sharedRedis(), subscriberName)]);
    const events: KeyChangesEvent[] = [];
    const keys = shareKeyChanges(keysOfOneProcess(records), {
      publisher: publisher.client,
      subscriber: subscriber.client,
      channel,
      observer: (event) => events.push(event),
    });
    closing.push(() => keys.close(), publisher.close, subscriber.close);
    const reported: (string | undefined)[] = [];
    keys.onChange((keyId) => reported.push(keyId));
    await vi.waitFor(() => expect(reported).toEqual([undefined]), { timeout: 10_000 });
    reported.pop();
    const { models } = gatewayUnderTest({ keys });
    const status = async (secret: string) => (await models(secret)).status;
    return { keys, publisher, subscriberName, reported, events, status };
  }

  /**
   * Creates a key and waits until the other processes know of it, so that only a later change invalidates their caches.
   */
  async function issue(process: Process, ...others: Process[]): Promise<IssuedKey> {
    const issued = await process.keys.create({ account: "acme", plan: "prepaid" });
    for (const { reported } of others) {
      await vi.waitFor(() => expect(reported).toContain(issued.key.id), soon);
    }
    return issued;
  }

  it("reach the gateway of another process within a second", async () => {
    const [here, there] = [await start(), await start()];
    const { key, secret } = await issue(here, there);
    expect(await there.status(secret)).toBe(200);
    await here.keys.revoke(key.id);
    expect(await here.status(secret)).toBe(401);
    await vi.waitFor(async () => expect(await there.status(secret)).toBe(401), soon);
  });

  it("reach it even if its connection was lost, during the loss and afterwards", async () => {
    const [here, there] = [await start(), await start()];
    const [missed, later] = [await issue(here, there), await issue(here, there)];
    expect(await there.status(missed.secret)).toBe(200);
    await killConnection(here.publisher, there.subscriberName);
    await here.keys.revoke(missed.key.id);
    await vi.waitFor(async () => expect(await there.status(missed.secret)).toBe(401), soon);
    expect(await there.status(later.secret)).toBe(200);
    there.reported.length = 0;
    await here.keys.revoke(later.key.id);
    await vi.waitFor(async () => expect(await there.status(later.secret)).toBe(401), soon);
    expect(there.reported).toEqual([later.key.id]);
  });

  it("are reported once in each process, by the id of the key", async () => {
    const [here, there] = [await start(), await start()];
    const { key } = await issue(here);
    const rotated = await here.keys.rotate(key.id, { graceMs: 0 });
    await vi.waitFor(() => expect(there.reported).toHaveLength(3), soon);
    // The publisher receives its own messages as well.
    await sleep(100);
    expect(here.reported).toEqual([key.id, key.id, rotated?.key.id]);
    expect(there.reported).toEqual(here.reported);
  });

  it("send no secret over the wire", async () => {
    const here = await start();
    const listener = await open(sharedRedis());
    const messages: string[] = [];
    closing.push(listener.close);
    const { client } = listener;
    if ("status" in client) {
      await client.subscribe(channel);
      client.on("message", (_, message) => void messages.push(message));
    } else await client.subscribe(channel, (message) => void messages.push(message));
    const { key } = await issue(here);
    await vi.waitFor(() => expect(messages).toHaveLength(1), soon);
    expect(messages[0]).toMatch(new RegExp(`^[0-9a-f-]{36}:${key.id}$`));
  });

  it("concern every key when the message is unreadable, from any sender", async () => {
    const [here, other] = [await start(), await open(sharedRedis())];
    closing.push(other.close);
    await other.command("PUBLISH", channel, "flush");
    await vi.waitFor(() => expect(here.reported).toEqual([undefined]), soon);
  });

  it("succeed when they cannot be published, and the observer receives an event", async () => {
    const [publisher, subscriber] = await Promise.all([open(sharedRedis()), open(sharedRedis())]);
    publisher.close();
    const events: KeyChangesEvent[] = [];
    const keys = shareKeyChanges(keysOfOneProcess(records), {
      publisher: publisher.client,
      subscriber: subscriber.client,
      channel,
      observer: (event) => {
        events.push(event);
        throw new Error("The observer failed.");
      },
    });
    closing.push(() => keys.close(), subscriber.close);
    const { key } = await keys.create({ account: "acme", plan: "prepaid" });
    expect((await keys.revoke(key.id))?.revokedAt).toBeInstanceOf(Date);
    await vi.waitFor(() => expect(events).toHaveLength(2), soon);
    expect(events[0]).toMatchObject({ type: "key-changes.failed", during: "publish", reason: expect.any(String) });
  });

  it("are no longer shared after close, but still reported within the process", async () => {
    const [here, there] = [await start(), await start()];
    await there.keys.close();
    await there.keys.close();
    await issue(here);
    const { key } = await issue(there);
    await sleep(100);
    expect(there.reported).toEqual([key.id]);
    expect(here.reported).toHaveLength(1);
  });

  it("do not reach another process immediately without sharing", async () => {
    const [here, there] = [await start(), gatewayUnderTest({ keys: keysOfOneProcess(records) })];
    const { key, secret } = await issue(here);
    expect((await there.models(secret)).status).toBe(200);
    await here.keys.revoke(key.id);
    await sleep(300);
    expect((await there.models(secret)).status).toBe(200);
  });

  describe("with the shared keys as a key store", () => {
    let connections: readonly Connection[] = [];
    beforeAll(async () => {
      connections = await Promise.all([open(sharedRedis()), open(sharedRedis())]);
    });
    afterAll(() => {
      for (const each of connections) each.close();
    });

    keyStoreContract({
      test: { describe, it },
      create: () => {
        const [publisher, subscriber] = connections.map(({ client }) => client);
        if (publisher === undefined || subscriber === undefined) throw new Error("Two connections are expected.");
        const store = shareKeyChanges(memoryKeyStore(), { publisher, subscriber, channel: freshPrefix() });
        return { store, close: () => store.close() };
      },
    });
  });
});

/** The key store of one of several processes, which reports only the changes of that process. */
function keysOfOneProcess(records: KeyStore & KeyAdmin): KeyStore & KeyAdmin {
  const changes = new ChangeListeners();
  return {
    find: (presented) => records.find(presented),
    get: (keyId) => records.get(keyId),
    list: (query) => records.list(query),
    accountsWithKeys: (query) => records.accountsWithKeys(query),
    onChange: changes.add,
    create: async (newKey) => {
      const issued = await records.create(newKey);
      changes.notify(issued.key.id);
      return issued;
    },
    createWithin: (newKey, most) => records.createWithin(newKey, most),
    update: async (keyId, changed) => {
      const key = await records.update(keyId, changed);
      changes.notify(keyId);
      return key;
    },
    revoke: async (keyId) => {
      const key = await records.revoke(keyId);
      changes.notify(keyId);
      return key;
    },
    rotate: async (keyId, options) => {
      const issued = await records.rotate(keyId, options);
      changes.notify(keyId);
      if (issued !== undefined) changes.notify(issued.key.id);
      return issued;
    },
  };
}

/** Kills the connection with this name, and resolves when the server has closed it. */
async function killConnection(by: Connection, name: string): Promise<void> {
  const clients = String(await by.command("CLIENT", "LIST")).split("\n");
  const id = clients.find((line) => line.includes(` name=${name} `))?.match(/^id=(\d+) /)?.[1] ?? "";
  expect(await by.command("CLIENT", "KILL", "ID", id)).toBe(1);
}
