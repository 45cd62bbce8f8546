import { expect, it } from "vitest";
import { migrationsBefore, olderSchemas } from "../test-support/older-schemas.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { migratePostgres, type PostgresBalances, postgresBalanceStore } from "./index.ts";

const day = 86_400_000;
const creditOf = (account: string) => ({ id: crypto.randomUUID(), account, amount: 5n, reason: "top-up" });
const types = async (store: PostgresBalances) =>
  (await store.claimNotices({ limit: 100, leaseMs: 60_000 })).map(({ type }) => type);

describeWithPostgres("the outbox", ({ schema, pool }) => {
  const server = pool();
  const { newSchema, migrateTo } = olderSchemas(server, schema);

  async function newStore() {
    const name = newSchema();
    await migratePostgres(server, { schema: name });
    return { name, store: postgresBalanceStore(server, { schema: name }) };
  }

  it("gets no notices of money and freezes while nobody has read it for three days", async () => {
    const { name, store } = await newStore();
    const tellAll = async () => {
      await store.credit({ ...creditOf("a"), expiresAt: new Date(Date.now() + day) });
      await store.freeze("a", "dispute 17");
      await store.thaw("a");
      await store.expire();
    };
    await tellAll();
    expect(await store.waitingNotices()).toEqual({ count: 0 });
    expect(await types(store)).toEqual([]);
    await store.expire();
    expect(await types(store)).toEqual(["balance.expiring"]);
    const all = ["balance.credited", "account.frozen", "account.thawed", "balance.expiring"];
    const setRead = (ago: string) => server.query(`UPDATE "${name}".outbox SET claimed_at = now() - interval '${ago}'`);
    await setRead("71 hours");
    await tellAll();
    expect(await types(store)).toEqual(all);
    await setRead("73 hours");
    await tellAll();
    expect(await store.waitingNotices()).toMatchObject({ count: 5 });
  });

  it("gets each notice in the transaction of what it tells of", async () => {
    const { name, store } = await newStore();
    await types(store);
    await server.query(`ALTER TABLE "${name}".notice ADD CONSTRAINT none CHECK (account_id <> 'a')`);
    await expect(store.credit(creditOf("a"))).rejects.toThrow();
    await expect(store.freeze("a", "dispute 17")).rejects.toThrow();
    expect(await store.findAccount("a")).toBeUndefined();
    const client = await server.connect();
    await client.query("BEGIN");
    await store.inTransaction(client).credit(creditOf("b"));
    await client.query("ROLLBACK");
    client.release();
    expect(await types(store)).toEqual([]);
    expect(await store.verify()).toEqual([]);
  });

  it("gets notices of lots and of processes from before it knew its readers", async () => {
    const name = newSchema();
    await migrateTo(migrationsBefore("notices of money and freezes"), name);
    const oldCredit = (id: string) =>
      server.query(`SELECT "${name}".post_amount('a', 'credit', 5, $1, 'top-up', NULL, now() + interval '1 day')`, [
        id,
      ]);
    await oldCredit("before");
    await migratePostgres(server, { schema: name });
    const store = postgresBalanceStore(server, { schema: name });
    await types(store);
    await oldCredit("after");
    await store.expire();
    expect(await types(store)).toEqual(["balance.credited", "balance.expiring", "balance.expiring"]);
    expect(await store.verify()).toEqual([]);
  });
});
