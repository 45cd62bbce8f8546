import type { ShardedStores } from "@tollgate/postgres";
import { beforeAll, expect, it } from "vitest";
import { watchedPool } from "../../../packages/postgres/test-support/watched-pool.ts";
import { accountIn, expectPosted } from "./accounts.ts";
import { type Clusters, type ShardName, slowMs } from "./clusters.ts";

const schema = "placement";
const names: readonly ShardName[] = ["a", "b", "c"];

/** Registers the tests of where accounts are, and how they are listed. */
export function placement(clusters: Clusters): void {
  let stores: ShardedStores;
  let other: ShardedStores;
  beforeAll(async () => {
    [stores, other] = [await clusters.open(schema), await clusters.open(schema)];
  }, slowMs);

  const idsIn = async (name: ShardName): Promise<readonly string[]> => {
    const { rows } = await clusters.pool(name).query<{ id: string }>(`SELECT id FROM ${schema}.account`);
    return rows.map(({ id }) => id);
  };

  it("has each account in one shard, and some in each, also if many processes use it first at the same time", async () => {
    const accounts = Array.from({ length: 30 }, () => crypto.randomUUID());
    const posted = accounts.flatMap((account) =>
      [stores, other, stores, other].map(({ balances }) =>
        balances.credit({ id: crypto.randomUUID(), account, amount: 1n, reason: "test" }),
      ),
    );
    await Promise.all(posted);
    for (const account of accounts) await expectPosted(other, account, 4n);
    const found = await Promise.all(names.map(idsIn));
    expect(found.flat().sort()).toEqual(accounts.sort());
    const counts = (await stores.shards.list()).map((shard) => [shard.name, shard.isOpen, shard.accounts]);
    expect(counts).toEqual(names.map((name, place) => [name, true, found[place]?.length]));
    expect(found.every((ids) => ids.length > 0)).toBe(true);
  });

  it("lists keys of all shards in the order of their creation, and accounts by their ids, page by page", async () => {
    const made: string[] = [];
    for (const name of ["b", "a", "c", "a", "b", "c", "c"] as const) made.push((await accountIn(stores, name)).keyId);
    const listed: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await other.keys.list({ limit: 2, ...(after === undefined ? {} : { after }) });
      listed.push(...page.keys.map(({ id }) => id));
      after = page.next;
      if (after === undefined) break;
    }
    expect(listed).toEqual(made);
    const accounts: string[] = [];
    for (let after = ""; ; ) {
      const page = await other.balances.listAccounts({ limit: 4, after });
      accounts.push(...page.accounts.map(({ id }) => id));
      if (page.next === undefined) break;
      after = page.next;
    }
    expect(accounts).toEqual((await Promise.all(names.map(idsIn))).flat().sort());
  });

  it("asks each shard once for a page", async () => {
    const watched = names.map((name) => watchedPool(clusters.pool(name)));
    const shards = Object.fromEntries(names.map((name, place) => [name, watched[place] ?? clusters.pool(name)]));
    const watching = await clusters.open(schema, { shards });
    const before = watched.map(({ statements }) => statements.length);
    await watching.balances.listAccounts({ limit: 5 });
    expect(watched.map(({ statements }, place) => statements.length - (before[place] ?? 0))).toEqual([1, 1, 1]);
  });

  it("refuses the id of a credit of another account, whatever its shard", async () => {
    const [one, two] = [await accountIn(stores, "a"), await accountIn(stores, "b")];
    const credit = { id: crypto.randomUUID(), account: one.account, amount: 5n, reason: "order" };
    expect(await stores.balances.credit(credit)).toMatchObject({ outcome: "posted" });
    expect(await other.balances.credit({ ...credit, account: two.account })).toEqual({ outcome: "conflict" });
    expect(await other.balances.credit(credit)).toMatchObject({ outcome: "repeated" });
    await expectPosted(stores, two.account, 1_000n);
  });

  it("numbers entries so that no number occurs in two shards", async () => {
    const sequences = await Promise.all(
      names.map(async (name) => {
        const { account } = await accountIn(stores, name);
        return (await stores.balances.entries({ account, limit: 10 })).entries.map(({ sequence }) => sequence % 1_024n);
      }),
    );
    expect(sequences).toEqual([[0n], [1n], [2n]]);
  });

  it("posts in a transaction of the host on a client of the account's shard, and on no other", async () => {
    const { account } = await accountIn(stores, "b");
    const credit = { id: crypto.randomUUID(), account, amount: 7n, reason: "order" };
    const post = async (name: ShardName) => {
      const client = await clusters.pool(name).connect();
      try {
        await client.query("BEGIN");
        const result = await stores.balances.inTransaction(client).credit(credit);
        await client.query("COMMIT");
        return result;
      } finally {
        client.release();
      }
    };
    await expect(post("c")).rejects.toThrow(/connected to the shard "c", and the account ".*" is in the shard "b"/);
    expect(await post("b")).toMatchObject({ outcome: "posted" });
    await expectPosted(other, account, 1_007n);
  });
}
