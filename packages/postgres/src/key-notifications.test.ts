import { Client, type Pool } from "pg";
import { describe, expect, it, vi } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { type PostgresListener, type PostgresNotification, postgresKeyStore, postgresStores } from "./index.ts";
import { KeyNotifications } from "./key-notifications.ts";

describeWithPostgres("keys that another process changes", ({ url, schema, pool }) => {
  const name = `listener of ${schema}`;
  const listen = async () => {
    const client = new Client({ connectionString: url, application_name: name });
    await client.connect();
    return client;
  };

  it("are told when they are revoked or replaced", async () => {
    const { store, other, heard } = await opened();
    const [one, another] = [
      await other.create({ account: "a", plan: "p" }),
      await other.create({ account: "a", plan: "p" }),
    ];
    await other.revoke(one.key.id);
    await vi.waitFor(() => expect(heard).toContain(one.key.id));
    await other.rotate(another.key.id, { graceMs: 1_000 });
    await vi.waitFor(() => expect(heard).toContain(another.key.id));
    expect(heard).not.toContain(undefined);
    await store.close();
  });

  it("are not told for what changed nothing, nor in another schema, nor by other senders", async () => {
    const { store, other, heard, server } = await opened();
    const { key } = await other.create({ account: "a", plan: "p" });
    await other.revoke(crypto.randomUUID());
    await server.query("NOTIFY tollgate_keys, 'x'");
    await server.query(`SELECT pg_notify('tollgate_keys_${schema}x', 'x')`);
    await other.revoke(key.id);
    await vi.waitFor(() => expect(heard).toContain(key.id));
    expect(heard).toEqual([key.id]);
    await store.close();
  });

  it("may be any when the connection breaks and when it is back, and are told again after that", async () => {
    const { store, other, heard, server } = await opened();
    const { key } = await other.create({ account: "a", plan: "p" });
    for (let time = 1; time <= 2; time++) {
      await endListener(server);
      await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 10_000 });
      expect(heard.splice(0)).toEqual([undefined, undefined]);
    }
    await other.revoke(key.id);
    await vi.waitFor(() => expect(heard).toEqual([key.id]));
    await store.close();
    expect(await countListeners(server)).toBe(0);
  });

  it("are told again after a listener of the host threw, also when the connection broke", async () => {
    const server = pool();
    const store = await postgresStores(server, { schema, listen });
    const other = postgresKeyStore(pool(), { schema });
    const heard: (string | undefined)[] = [];
    store.keys.onChange(() => {
      throw new Error("a mistake of the host");
    });
    store.keys.onChange((keyId) => heard.push(keyId));
    await endListener(server);
    await vi.waitFor(() => expect(heard).toEqual([undefined, undefined]), { timeout: 10_000 });
    const { key } = await other.create({ account: "a", plan: "p" });
    await other.revoke(key.id);
    await vi.waitFor(() => expect(heard).toContain(key.id));
    await store.close();
  });

  it("are no longer told once the stores are closed", async () => {
    const { store, other, heard, server } = await opened();
    const { key } = await other.create({ account: "a", plan: "p" });
    await store.close();
    await other.revoke(key.id);
    await vi.waitFor(async () => expect(await countListeners(server)).toBe(0));
    expect(heard).toEqual([]);
  });

  it("are a reason not to start when they cannot be heard of", async () => {
    const refused = () => Promise.reject(new Error("no such host"));
    await expect(postgresStores(pool(), { schema, listen: refused })).rejects.toThrow("no such host");
  });

  async function opened() {
    const server = pool();
    const store = await postgresStores(server, { schema, listen });
    const heard: (string | undefined)[] = [];
    store.keys.onChange((keyId) => heard.push(keyId));
    return { store, other: postgresKeyStore(pool(), { schema }), heard, server };
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

describe("a connection that listens", () => {
  it("is made again until it succeeds, and any key may have changed each time", async () => {
    const clients: FakeClient[] = [];
    let refusals = 0;
    const heard: (string | undefined)[] = [];
    const open = async () => {
      if (clients.length === 1 && refusals++ < 2) throw new Error("refused");
      const client = new FakeClient();
      clients.push(client);
      return client;
    };
    const notifications = new KeyNotifications(open, "channel", (keyId) => heard.push(keyId));
    await notifications.start();
    clients[0]?.lose();
    expect(heard).toEqual([undefined]);
    await vi.waitFor(() => expect(heard).toEqual([undefined, undefined]), { timeout: 5_000 });
    expect([refusals, clients.length]).toEqual([3, 2]);
    clients[0]?.lose();
    expect(heard).toHaveLength(2);
    await notifications.close();
    clients[1]?.lose();
    expect([heard.length, clients[0]?.ended, clients[1]?.ended]).toEqual([2, true, true]);
  });

  it("is ended when the stores were closed while it was made", async () => {
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

  /** As a broken client does: an error, and then the end. */
  lose(): void {
    for (const listener of this.#lost) listener(new Error("lost"));
  }
}
