import type { ShardedStores } from "@tollgate/postgres";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { accountIn, expectPosted, hold, usageRow } from "./accounts.ts";
import { type Clusters, slowMs } from "./clusters.ts";

const schema = "placement";

/** Registers the tests with the third server down. The last ones of the file, since other tests need the server. */
export function outages(clusters: Clusters): void {
  let stores: ShardedStores;
  const accounts = new Map<"a" | "c", Awaited<ReturnType<typeof accountIn>>>();
  const of = (name: "a" | "c") => {
    const account = accounts.get(name);
    if (account === undefined) throw new Error(`There is no account in the shard "${name}".`);
    return account;
  };
  beforeAll(async () => {
    // What is committed must survive the crash.
    const durable = clusters.pool("c", { options: "-c synchronous_commit=on" });
    stores = await clusters.open(schema, { shards: { ...clusters.pools("a", "b"), c: durable } });
    for (const name of ["a", "c"] as const) accounts.set(name, await accountIn(stores, name));
    await clusters.server("c").crash();
  }, slowMs);
  afterAll(() =>
    clusters
      .server("c")
      .start()
      .catch(() => undefined),
  );

  it("rejects calls for its accounts, and the accounts of others are served", async () => {
    await expect(hold(stores, of("c"))).rejects.toThrow();
    await expect(stores.keys.find(of("c").secret)).rejects.toThrow();
    const { id, outcome } = await hold(stores, of("a"));
    expect(outcome).toBe("held");
    const key = { id, account: of("a").account };
    expect(await stores.balances.settle(key, 60n, undefined)).toEqual({ outcome: "ended" });
    expect(await stores.keys.find(of("a").secret)).toMatchObject({ id: of("a").keyId });
    await expectPosted(stores, of("a").account, 940n);
  });

  it("fails lists that need it with its name, and not those of one account", async () => {
    for (const list of [
      () => stores.balances.listAccounts({ limit: 10 }),
      () => stores.keys.list({ limit: 10 }),
      () => stores.usage.list({ limit: 10 }),
      () => stores.balances.verify(),
    ]) {
      await expect(list()).rejects.toThrow(/The shard "c" is unavailable, and this call needs all shards/);
    }
    const { account, keyId } = of("a");
    expect((await stores.keys.list({ account, limit: 10 })).keys).toMatchObject([{ id: keyId }]);
    expect((await stores.balances.entries({ account, limit: 10 })).entries).toHaveLength(2);
  });

  it("records the usage of the other accounts", async () => {
    const rows = [usageRow(of("a")), usageRow(of("c"))];
    await expect(stores.usage.record(rows)).rejects.toThrow();
    const { rows: recorded } = await clusters
      .pool("a")
      .query(`SELECT id FROM ${schema}.usage_row WHERE id = ANY ($1)`, [rows.map(({ id }) => id)]);
    expect(recorded).toEqual([{ id: rows[0]?.id }]);
  });

  it("is used once it is up by a process that started without it", async () => {
    const started = await clusters.open(schema);
    await expectPosted(started, of("a").account, 940n);
    await expect(started.balances.balance(of("c").account)).rejects.toThrow();
    await clusters.server("c").start();
    await vi.waitFor(() => expectPosted(started, of("c").account, 1_000n), slowMs);
    expect((await hold(started, of("c"))).outcome).toBe("held");
    expect(await started.balances.verify()).toEqual([]);
  });
}
