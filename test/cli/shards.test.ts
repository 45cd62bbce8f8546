import { type ShardedStores, shardedStores } from "@tollgate/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shardDatabases } from "../../packages/postgres/test-support/shard-databases.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

describe("commands on shards", () => {
  const databases = shardDatabases("a", "b");
  let stores: ShardedStores;
  let cli: CliUnderTest;
  beforeAll(async () => {
    stores = await shardedStores({ directory: databases.pool("a"), shards: databases.pools() });
    await stores.balances.credit({ id: "top-up", account: "acme", amount: 5n, reason: "top-up" });
    cli = openCli(stores);
  }, 60_000);
  afterAll(() => cli.close());

  it("move an account, list the shards, and record both in the audit log", async () => {
    const from = await stores.shards.shardOf("acme");
    const to = from === "a" ? "b" : "a";
    const moved = await cli.run(["shards", "move", "acme", "--to", to, "--actor", "ada"]);
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.out).toMatch(
      new RegExp(`^acme was moved from ${from} to ${to}. It could not be changed for \\d+ ms.\n$`),
    );
    expect((await stores.balances.balance("acme")).posted).toBe(5n);
    expect((await cli.run(["shards", "move", "acme", "--to", to])).out).toBe(`acme is in ${to} already.\n`);
    expect((await cli.run(["shards", "close", from])).out).toBe(`No new accounts are assigned to ${from}.\n`);
    const listed = await cli.run(["--json", "shards", "list"]);
    expect(JSON.parse(listed.out)).toEqual({
      shards: ["a", "b"].map((name) => ({ name, isOpen: name === to, accounts: name === to ? 1 : 0 })),
    });
    expect((await cli.run(["shards", "list"])).out).toMatch(/^SHARD +NEW ACCOUNTS +ACCOUNTS\na /);
    expect((await cli.run(["shards", "open", from])).out).toBe(`New accounts can be assigned to ${from}.\n`);
    const { entries } = await stores.audit.list({ limit: 10 });
    expect(entries.map(({ actor, action, subject }) => `${action} ${subject} ${actor === "ada"}`).reverse()).toEqual([
      "account.move account:acme true",
      "account.move account:acme false",
      `shard.close shard:${from} false`,
      `shard.open shard:${from} false`,
    ]);
  });

  it("fail for an account that no shard has, and for a shard that the config file does not have", async () => {
    expect(await cli.run(["shards", "move", "nobody", "--to", "a"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('No shard has the account "nobody"'),
    });
    expect(await cli.run(["shards", "move", "acme", "--to", "z"])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no pool for the shard "z"'),
    });
    const actions = (await stores.audit.list({ limit: 4 })).entries.map(({ action }) => action);
    expect(actions).toEqual(["account.move.failed", "account.move", "account.move.failed", "account.move"]);
  });

  it("fail without shards in the config file, and with what are none", async () => {
    const { shards: _, ...others } = stores;
    const without = openCli(others);
    expect(await without.run(["shards", "list"])).toMatchObject({ code: 2, err: expect.stringContaining("`shards`") });
    without.close();
    const wrong = openCli({ ...others, shards: Object.assign({}) });
    expect(await wrong.run(["shards", "list"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Its `shards` does not have the methods list, open, close, move."),
    });
    wrong.close();
  });
});
