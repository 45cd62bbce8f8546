import type { Pool, PoolClient } from "pg";
import { expect, it } from "vitest";
import { fundedAccount, heldBy, holdRequest } from "../test-support/booking.ts";
import { lockWaiters } from "../test-support/conversing.ts";
import { transactionPooler } from "../test-support/transaction-pooler.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { type PostgresClient, postgresBalanceStore } from "./index.ts";

describeWithPostgres("a posting in a transaction of the host", ({ url, schema, pool }) => {
  const server = pool();
  const application = `host ${schema}`;
  const store = postgresBalanceStore(pool({ application_name: application }), { schema });
  const posting = (account: string, amount = 20n) => ({ id: crypto.randomUUID(), account, amount, reason: "order" });
  const balance = (posted: bigint) => ({ posted, held: 0n, available: posted });

  it("is posted when the host commits, with what the host writes", async () => {
    const account = await fundedAccount(store, 100n);
    await server.query(`CREATE TABLE "${schema}".shop_order (id text PRIMARY KEY)`);
    const credit = posting(account);
    await inHostTransaction(server, async (client) => {
      await client.query(`INSERT INTO "${schema}".shop_order VALUES ($1)`, [credit.id]);
      expect(await store.inTransaction(client).credit(credit)).toEqual({
        outcome: "posted",
        balance: balance(120n),
        amount: 20n,
      });
      expect((await store.balance(account)).posted).toBe(100n);
    });
    expect((await store.balance(account)).posted).toBe(120n);
    expect(await store.credit(credit)).toEqual({ outcome: "repeated", balance: balance(120n), amount: 20n });
    expect((await server.query(`SELECT id FROM "${schema}".shop_order`)).rows).toEqual([{ id: credit.id }]);
  });

  it("is not posted when the host rolls back, also on a new account and as a lot", async () => {
    const account = crypto.randomUUID();
    const credit = { ...posting(account), kind: "granted", expiresAt: new Date(Date.now() + 3_600_000) } as const;
    const rollback = inHostTransaction(server, async (client) => {
      expect((await store.inTransaction(client).credit(credit)).outcome).toBe("posted");
      expect(await store.inTransaction(client).debit(posting(account, 5n))).toMatchObject({ balance: balance(15n) });
      throw new Error("The order is void.");
    });
    await expect(rollback).rejects.toThrow("The order is void.");
    expect(await store.findAccount(account)).toBeUndefined();
    expect(await store.verify()).toEqual([]);
  });

  it("keeps the account locked until the commit, and the holds that wait then see the money", async () => {
    const account = await fundedAccount(store, 5n);
    const running = await heldBy(store, account, 5n);
    let ended = 0;
    const waiting = await inHostTransaction(server, async (client) => {
      await store.inTransaction(client).credit(posting(account));
      const holds = Array.from({ length: 12 }, () => store.hold(holdRequest(account, 2n)));
      const calls = Promise.all(
        [...holds, store.release({ id: running, account })].map((call) => Promise.resolve(call).finally(() => ended++)),
      );
      await lockWaiters(server, application, 1);
      expect(ended).toBe(0);
      return { calls };
    });
    const outcomes = (await waiting.calls).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...Array.from({ length: 12 }, () => "held"), "ended"]);
    expect(await store.balance(account)).toMatchObject({ posted: 25n, held: 24n });
  });

  it("leaves the transaction usable when it is a conflict or fails", async () => {
    const account = await fundedAccount(store, 100n);
    const known = posting(account);
    await store.credit(known);
    await inHostTransaction(server, async (client) => {
      const balances = store.inTransaction(client);
      expect(await balances.debit(known)).toEqual({ outcome: "conflict" });
      await expect(balances.credit(posting(account, 2n ** 63n - 1n))).rejects.toThrow(/A balance cannot exceed/);
      await expect(balances.credit({ ...posting(account), amount: 0n })).rejects.toThrow(RangeError);
      await expect(balances.credit({ ...posting(account), reason: "\0" })).rejects.toThrow(
        /not text that PostgreSQL can store/,
      );
      expect((await balances.credit(posting(account))).outcome).toBe("posted");
    });
    expect((await store.balance(account)).posted).toBe(140n);
  });

  it("takes an id once, also when another process posts it on another account at the same time", async () => {
    const [account, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const credit = posting(account);
    const rival = await inHostTransaction(server, async (client) => {
      expect((await store.inTransaction(client).credit(credit)).outcome).toBe("posted");
      const call = store.credit({ ...credit, account: other });
      await lockWaiters(server, application, 1);
      return { call };
    });
    expect(await rival.call).toEqual({ outcome: "conflict" });
    expect(await store.verify()).toEqual([]);
  });

  it("rejects outside of a transaction", async () => {
    const account = await fundedAccount(store, 1n);
    const client = await server.connect();
    try {
      for (const outside of [client, server]) {
        const refused = store.inTransaction(outside).credit(posting(account));
        await expect(refused).rejects.toThrow(/is in no transaction. Begin one on it first/);
      }
    } finally {
      client.release();
    }
    expect((await store.balance(account)).posted).toBe(1n);
    const nothing: PostgresClient = Object.assign({ query: server.query }, { query: undefined });
    expect(() => store.inTransaction(nothing)).toThrow(/Pass the client of pg on which you have begun a transaction/);
  });

  it("works through a transaction pooler, and under the strictest isolation", async () => {
    const pooler = await transactionPooler(url);
    const account = await fundedAccount(store, 100n);
    const client = await pooler.connect();
    try {
      await client.query({ text: "BEGIN ISOLATION LEVEL SERIALIZABLE" });
      expect((await store.inTransaction(client).credit(posting(account))).outcome).toBe("posted");
      await client.query({ text: "COMMIT" });
    } finally {
      client.release();
      await pooler.end();
    }
    expect((await store.balance(account)).posted).toBe(120n);
  });
});

/** Runs the work in a transaction as a host does. */
async function inHostTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
