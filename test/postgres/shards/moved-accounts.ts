import { createGateway } from "@tollgate/core";
import type { ShardedStores } from "@tollgate/postgres";
import { beforeAll, expect, it } from "vitest";
import { Database } from "../../../packages/postgres/src/database.ts";
import { type Fence, setFence } from "../../../packages/postgres/src/shards/fences.ts";
import { lockWaiters } from "../../../packages/postgres/test-support/conversing.ts";
import { interceptedPool } from "../../../packages/postgres/test-support/intercepted-pool.ts";
import { watchedPool } from "../../../packages/postgres/test-support/watched-pool.ts";
import { completionOf, scriptedProvider } from "../../support/scripted-provider.ts";
import { accountIn, expectPosted, hold, usageRow } from "./accounts.ts";
import { type Clusters, type ShardName, slowMs } from "./clusters.ts";

const schema = "placement";

/** Registers the tests of processes that meet the fence of an account. */
export function movedAccounts(clusters: Clusters): void {
  let stores: ShardedStores;
  let other: ShardedStores;
  beforeAll(async () => {
    [stores, other] = [await clusters.open(schema), await clusters.open(schema)];
  }, slowMs);

  const fence = (name: ShardName, account: string, state: Fence | undefined) =>
    setFence(new Database(clusters.pool(name, { max: 1 }), schema, true), account, state);
  const flip = (account: string, to: ShardName) =>
    clusters.pool("a").query(`UPDATE ${schema}.directory_account SET shard = $2 WHERE id = $1`, [account, to]);
  const countIn = async (name: ShardName, account: string) => {
    const { rows } = await clusters.pool(name).query(`SELECT 1 FROM ${schema}.entry WHERE account_id = $1`, [account]);
    return rows.length;
  };
  const credit = ({ balances }: ShardedStores, account: string, id: string = crypto.randomUUID()) =>
    balances.credit({ id, account, amount: 10n, reason: "test" });

  it("is refused by its shard while it moves, and can be read; other accounts are served", async () => {
    const [moving, staying] = [await accountIn(stores, "b"), await accountIn(stores, "b")];
    const { id } = await hold(stores, moving, 1);
    await hold(stores, staying, 1);
    await fence("b", moving.account, "leaving");
    for (const call of [
      () => hold(other, moving),
      () => stores.balances.release({ id, account: moving.account }),
      () => credit(stores, moving.account),
      () => stores.keys.revoke(moving.keyId),
      () => stores.terms.accept(moving.account, "v1"),
      () => stores.balances.freeze(moving.account, "test"),
    ]) {
      await expect(call()).rejects.toThrow(/is being moved to another shard. Try again/);
    }
    await expectPosted(other, moving.account, 1_000n);
    expect(await other.keys.find(moving.secret)).toMatchObject({ id: moving.keyId });
    expect((await hold(other, staying)).outcome).toBe("held");
    // The sweeps and renewals of the shard leave it out.
    const renewal = { id, account: moving.account, used: 1n };
    expect(await stores.balances.renew([renewal], 60_000)).toEqual([]);
    expect(await stores.balances.expire()).toBe(1);
    await fence("b", moving.account, undefined);
    expect(await stores.balances.renew([renewal], 60_000)).toEqual([id]);
    expect(await stores.balances.release({ id, account: moving.account })).toEqual({ outcome: "ended" });
  });

  it("is used in its new shard by a process that remembers the former one", async () => {
    const account = `moved-${crypto.randomUUID()}`;
    const former = await stores.shards.shardOf(account);
    const [from, to]: [ShardName, ShardName] = former === "a" ? ["a", "b"] : former === "b" ? ["b", "c"] : ["c", "a"];
    expect(await other.shards.shardOf(account)).toBe(from);
    await fence(from, account, "moved");
    await flip(account, to);
    const id = crypto.randomUUID();
    expect(await credit(stores, account, id)).toMatchObject({ outcome: "posted" });
    await expectPosted(other, account, 10n);
    expect(await credit(other, account, id)).toMatchObject({ outcome: "repeated" });
    expect([await countIn(from, account), await countIn(to, account)]).toEqual([0, 1]);
  });

  it("is refused by the shard that it arrives in, also for reads", async () => {
    const { account } = await accountIn(stores, "a");
    await fence("b", account, "arriving");
    await flip(account, "b");
    await fence("a", account, "moved");
    await expect(stores.balances.balance(account)).rejects.toThrow(/is being moved/);
    await expect(credit(other, account)).rejects.toThrow(/is being moved/);
    expect(await countIn("b", account)).toBe(0);
  });

  it("waits with its fence until running changes are committed", async () => {
    const { account } = await accountIn(stores, "c");
    const client = await clusters.pool("c").connect();
    await client.query("BEGIN");
    await stores.balances.inTransaction(client).credit({ id: crypto.randomUUID(), account, amount: 5n, reason: "x" });
    const order: string[] = [];
    const mover = new Database(clusters.pool("c", { application_name: "mover" }), schema, true);
    const fenced = setFence(mover, account, "leaving").then(() => order.push("fenced"));
    await lockWaiters(clusters.pool("c"), "mover", 1);
    order.push("committed");
    await client.query("COMMIT");
    client.release();
    await fenced;
    expect(order).toEqual(["committed", "fenced"]);
    await expectPosted(other, account, 1_005n);
    await expect(credit(stores, account)).rejects.toThrow(/is being moved/);
  });

  it("is fenced for statements under a stricter isolation level too", async () => {
    const { account } = await accountIn(stores, "c");
    const strict = watchedPool(clusters.pool("c", { options: "-c default_transaction_isolation=serializable" }));
    const shards = { ...clusters.pools("a", "b"), c: strict };
    const process = await clusters.open(schema, { shards });
    expect(await credit(process, account)).toMatchObject({ outcome: "posted" });
    // The first try was refused, since its fences may be those of an older snapshot.
    expect(strict.errors).toMatchObject([{ code: "40001" }]);
    await fence("c", account, "leaving");
    await expect(credit(process, account)).rejects.toThrow(/is being moved/);
  });

  it("has each row of usage once, also one whose answer was lost before the account moved", async () => {
    const { account, keyId } = await accountIn(stores, "b");
    let isLost = true;
    const losing = interceptedPool(clusters.pool("b"), async (statement, run) => {
      const result = await run();
      if (!isLost || !/INSERT INTO \S+usage_row/.test(statement.text)) return result;
      isLost = false;
      throw new Error("The answer was lost.");
    });
    const { usage, balances } = await clusters.open(schema, { shards: { ...clusters.pools("a", "c"), b: losing } });
    const row = usageRow({ account, keyId });
    await expect(usage.record([row])).rejects.toThrow("The answer was lost.");
    await flip(account, "c");
    await fence("b", account, "moved");
    // From here on, the process knows that the account has moved.
    await balances.balance(account);
    expect(await usage.record([row, usageRow({ account, keyId })])).toBe(1);
    const from = new Date(Date.now() - 60_000);
    const to = new Date(Date.now() + 60_000);
    expect((await stores.usage.list({ filter: { account }, limit: 10 })).rows).toHaveLength(2);
    expect(await stores.usage.summary({ from, to, bucket: "all", filter: { account } })).toMatchObject([
      { requests: 2 },
    ]);
  });

  it("gets 503 with Retry-After from the gateway, alone", async () => {
    const [moving, staying] = [await accountIn(stores, "b"), await accountIn(stores, "b")];
    const { keys, balances } = stores;
    const targets = [
      { provider: scriptedProvider({ complete: async () => completionOf("Hello.") }), model: "upstream" },
    ];
    const gateway = createGateway({
      keys,
      balances,
      plans: [{ id: "basic", billing: "prepaid" }],
      models: [{ id: "small", maxOutputTokens: 10, price: { input: "0.001", output: "0.001" }, targets }],
    });
    const ask = async (secret: string) => {
      const body = JSON.stringify({ model: "small", messages: [{ role: "user", content: "Hi" }] });
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const request = new Request("http://gateway.test/router/v1/chat/completions", { method: "POST", headers, body });
      const { status, headers: answered } = await gateway.fetch(request);
      return [status, answered.get("retry-after")];
    };
    await fence("b", moving.account, "leaving");
    expect([await ask(moving.secret), await ask(staying.secret)]).toEqual([
      [503, "1"],
      [200, null],
    ]);
    await gateway.drain();
  });
}
