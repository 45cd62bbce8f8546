import { Client, type Pool } from "pg";
import { describe, expect, it, vi } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { type PostgresListener, type PostgresNotification, postgresKeyStore, postgresStores } from "./index.ts";
import { KeyNotifications } from "./key-notifications.ts";

describeWithPostgres("a key store notified by other processes", ({ url, schema, pool }) => {
  const name = `listener of ${schema}`;
  const listen = async () => {
    const client = new Client({ connectionString: url, application_name: name });
    await client.connect();
    return client;
  };

  it("reports keys that are revoked or rotated", async () => {
    const { store, other, reported } = await openStores();
    const [one, another] = [
      await other.create({ account: "a", plan: "p" }),
      await other.create({ account: "a", plan: "p" }),
    ];
    await other.revoke(one.key.id);
    await expect.poll(() => reported).toContain(one.key.id);
    await other.rotate(another.key.id, { graceMs: 1_000 });
    await expect.poll(() => reported).toContain(another.key.id);
    expect(reported).not.toContain(undefined);
    await store.close();
  });

  it("reports nothing when no key changed, nor for another schema, nor for other senders", async () => {
    const { store, other, reported, server } = await openStores();
    const { key } = await other.create({ account: "a", plan: "p" });
    await other.revoke(crypto.randomUUID());
    await server.query("NOTIFY tollgate_keys, 'x'");
    await server.query(`SELECT pg_notify('tollgate_keys_${schema}x', 'x')`);
    await other.revoke(key.id);
    await expect.poll(() => reported).toContain(key.id);
    expect(reported).toEqual([key.id]);
    await store.close();
  });

  it("reports that any key may have changed when the connection is lost and when it is back, and then single keys again", async () => {
    const { store, other, reported, server } = await openStores();
    const { key } = await other.create({ account: "a", plan: "p" });
    for (let time = 1; time <= 2; time++) {
      await endListener(server);
      await vi.waitFor(() => expect(reported).toHaveLength(2), { timeout: 10_000 });
      expect(reported.splice(0)).toEqual([undefined, undefined]);
    }
    await other.revoke(key.id);
    await expect.poll(() => reported).toEqual([key.id]);
    await store.close();
    expect(await countListeners(server)).toBe(0);
  });

  it("continues to report after a listener of the host threw, even when the connection is lost", async () => {
    const server = pool();
    const store = await postgresStores(server, { schema, listen });
    const other = postgresKeyStore(pool(), { schema });
    const reported: (string | undefined)[] = [];
    store.keys.onChange(() => {
      throw new Error("a bug of the host");
    });
    store.keys.onChange((keyId) => reported.push(keyId));
    await endListener(server);
    await vi.waitFor(() => expect(reported).toEqual([undefined, undefined]), { timeout: 10_000 });
    const { key } = await other.create({ account: "a", plan: "p" });
    await other.revoke(key.id);
    await expect.poll(() => reported).toContain(key.id);
    await store.close();
  });

  it("stops reporting when the stores are closed", async () => {
    const { store, other, reported, server } = await openStores();
    const { key } = await other.create({ account: "a", plan: "p" });
    await store.close();
    await other.revoke(key.id);
    await expect.poll(async () => await countListeners(server)).toBe(0);
    expect(reported).toEqual([]);
  });

  it("does not start when it cannot connect", async () => {
    const refused = () => Promise.reject(new Error("no such host"));
    await expect(postgresStores(pool(), { schema, listen: refused })).rejects.toThrow("no such host");
  });

  async function openStores() {
    const server = pool();
    const store = await postgresStores(server, { schema, listen });
    const reported: (string | undefined)[] = [];
    store.keys.onChange((keyId) => reported.push(keyId));
    return { store, other: postgresKeyStore(pool(), { schema }), reported, server };
  }

  async function endListener(server: Pool): Promise<void> {
    await server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [name]);
  }

  async function countListeners(server: Pool): Promise<number> {
    const { rows } = await server.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1", [
      name,
    ]);
    return rows[0].n;
  }
});

describe("the listening connection", () => {
  it("reconnects until it succeeds, and reports each time that any key may have changed", async () => {
    const clients: FakeClient[] = [];
    let refusals = 0;
    const reported: (string | undefined)[] = [];
    const open = async () => {
      if (clients.length === 1 && refusals++ < 2) throw new Error("refused");
      const client = new FakeClient();
      clients.push(client);
      return client;
    };
    const notifications = new KeyNotifications(open, "channel", (keyId) => reported.push(keyId));
    await notifications.start();
    clients[0]?.lose();
    expect(reported).toEqual([undefined]);
    await vi.waitFor(() => expect(reported).toEqual([undefined, undefined]), { timeout: 10_000 });
    expect([refusals, clients.length]).toEqual([3, 2]);
    clients[0]?.lose();
    expect(reported).toHaveLength(2);
    await notifications.close();
    clients[1]?.lose();
    expect([reported.length, clients[0]?.ended, clients[1]?.ended]).toEqual([2, true, true]);
  });

  it("is ended when the stores are closed while it connects", async () => {
    const client = new FakeClient();
    const notifications = new KeyNotifications(
      async () => client,
      "channel",
      () => undefined,
    );
    const starting = notifications.start();
    await notifications.close();
    await starting;
    expect(client.ended).toBe(true);
  });

  it("is ended when it cannot listen", async () => {
    const client = new FakeClient();
    client.refuses = true;
    await expect(
      new KeyNotifications(
        async () => client,
        "channel",
        () => undefined,
      ).start(),
    ).rejects.toThrow("no");
    expect(client.ended).toBe(true);
  });
});

class FakeClient implements PostgresListener {
  refuses = false;
  ended = false;
  readonly #lost: ((error: Error) => void)[] = [];

  async query() {
    if (this.refuses) throw new Error("no");
    return { rows: [] };
  }

  on(event: string, listener: ((message: PostgresNotification) => void) | ((error: Error) => void)): void {
    if (event !== "notification") this.#lost.push(listener as (error: Error) => void);
  }

  async end() {
    this.ended = true;
  }

  /** Behaves like a client that loses its connection: it emits an error and then the end. */
  lose(): void {
    for (const listener of this.#lost) listener(new Error("lost"));
  }
}
