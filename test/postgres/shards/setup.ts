import { postgresStores } from "@tollgate/postgres";
import { expect, it, vi } from "vitest";
import { accountIn, expectPosted, hold } from "./accounts.ts";
import type { Clusters } from "./clusters.ts";

const schema = "extended";

/** Registers the tests of adding shards, and of settings that do not fit. */
export function setup(clusters: Clusters): void {
  it("adopt the accounts and keys of a single database that became the first one", async () => {
    const alone = await postgresStores(clusters.pool("a"), { schema });
    const made = [];
    for (const account of ["one", "two", "three"]) {
      made.push({ account, ...(await alone.keys.create({ account, plan: "basic" })) });
      await alone.balances.credit({ id: `credit of ${account}`, account, amount: 1_000n, reason: "test" });
    }
    const stores = await clusters.open(schema, { shards: clusters.pools("a") });
    expect(await stores.keys.find(made[0]?.secret ?? "")).toBeUndefined();
    expect([await stores.shards.adopt("a"), await stores.shards.adopt("a")]).toEqual([3, 0]);
    // The process of before still works, also with a key that it has created meanwhile.
    made.push({ account: "four", ...(await alone.keys.create({ account: "four", plan: "basic" })) });
    const extended = await clusters.open(schema, { shards: clusters.pools("a", "b") });
    await extended.shards.adopt("a");
    await extended.shards.open("b");
    for (const { account, key, secret } of made) {
      expect(await extended.keys.find(secret)).toMatchObject({ id: key.id });
      expect(await extended.shards.shardOf(account)).toBe("a");
    }
    const [first] = made;
    if (first === undefined) throw new Error("No account was made.");
    const of = { account: first.account, keyId: first.key.id };
    expect([(await hold(extended, of)).outcome, (await hold(stores, of)).outcome]).toEqual(["held", "held"]);
    const later = await accountIn(extended, "b");
    const listed = (await extended.keys.list({ limit: 10 })).keys.map(({ id }) => id);
    expect(listed).toEqual([...made.map(({ key }) => key.id), later.keyId]);
    expect(await extended.balances.verify()).toEqual([]);
    await extended.shards.close("b");
  });

  it("can be extended while it runs: a new shard gets accounts once it is opened, in processes that have it", async () => {
    const older = await clusters.open(schema, { shards: clusters.pools("a", "b") });
    const before = await accountIn(older, "a");
    const newer = await clusters.open(schema);
    expect((await newer.shards.list()).filter(({ name }) => name !== "b")).toMatchObject([
      { name: "a", isOpen: true },
      { name: "c", isOpen: false },
    ]);
    const accounts = Array.from({ length: 20 }, () => crypto.randomUUID());
    const shardsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => newer.shards.shardOf(id)));
    expect(await shardsOf(accounts)).not.toContain("c");
    // A process that is started again with the shards of before is not disturbed yet.
    await clusters.open(schema, { shards: clusters.pools("a", "b") });
    await newer.shards.open("c");
    const after = await accountIn(newer, "c");
    await expectPosted(newer, after.account, 1_000n);
    await expectPosted(newer, before.account, 1_000n);
    expect(await older.keys.find(before.secret)).toMatchObject({ id: before.keyId });
    await expect(older.keys.find(after.secret)).rejects.toThrow(/no pool for the shard "c". Add it to `shards`/);
    await expect(clusters.open(schema, { shards: clusters.pools("a", "b") })).rejects.toThrow(
      /`shards` has no pool for "c"/,
    );
    await newer.shards.close("a");
    expect(await shardsOf(Array.from({ length: 20 }, () => crypto.randomUUID()))).not.toContain("a");
    await expect(newer.shards.open("d")).rejects.toThrow(/no shard "d"/);
  });

  it("refuse pools that were exchanged, and the directory of another system", async () => {
    await clusters.open(schema);
    const [a, b, c] = (["a", "b", "c"] as const).map((name) => clusters.pool(name));
    if (a === undefined || b === undefined || c === undefined) throw new Error("The pools are missing.");
    await expect(clusters.open(schema, { shards: { a: b, b: a, c } })).rejects.toThrow(
      /The pool of the shard "(?:a" is connected to the database of the shard "b|b" is connected to the database of the shard "a)"/,
    );
    await expect(clusters.open(schema, { directory: clusters.pool("c"), shards: { a, b } })).rejects.toThrow(
      /connected to the database of the shard "[ab]" of this or another directory/,
    );
  });

  it("refuse options that they do not know, and names that cannot be those of shards", async () => {
    const options = { directory: clusters.pool("a"), shards: clusters.pools("a"), pool: clusters.pool("a") };
    await expect(clusters.open("refused", options)).rejects.toThrow(/shardedStores: `pool`/);
    const shards = { "a b": clusters.pool("a") };
    await expect(clusters.open("refused", { shards })).rejects.toThrow(/"a b" cannot be the name of a shard/);
    await expect(clusters.open("refused", { shards: {} })).rejects.toThrow(/`shards` must have the pool of each shard/);
  });

  it("are opened as the guide shows", async () => {
    vi.stubEnv("DIRECTORY_URL", clusters.server("a").url);
    vi.stubEnv("SHARD_A_URL", clusters.server("a").url);
    vi.stubEnv("SHARD_B_URL", clusters.server("b").url);
    const { stores } = await import("../../../examples/mounts/src/sharded-stores.ts");
    const { secret } = await accountIn(stores, "b");
    expect(secret).toMatch(/^acme_/);
    await import("../../../examples/mounts/src/adopt-shard.ts");
    await import("../../../examples/mounts/src/open-shard.ts");
    expect(await stores.shards.list()).toMatchObject([{ name: "a" }, { name: "b", isOpen: true }]);
    await stores.balances.credit({ id: "first", account: "customer-17", amount: 5n, reason: "top-up" });
    await import("../../../examples/mounts/src/move-account.ts");
    expect(await stores.shards.shardOf("customer-17")).toBe("b");
    vi.unstubAllEnvs();
  });
}
