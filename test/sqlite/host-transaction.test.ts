import { type SqliteDatabase, sqliteStores } from "@tollgate/sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { creditOf, temporaryDatabase } from "./temporary-database.ts";

describe("a posting in a transaction of the host", () => {
  it("is one commit with the rows of the host", async () => {
    const { database, balances, orders, connect } = withOrders();
    const { balances: peer } = sqliteStores(connect());
    database.exec("BEGIN IMMEDIATE");
    orders.add("order 1");
    const credit = { ...creditOf("a", 100n), id: "order 1", amount: "0.000000100" };
    const posted = { outcome: "posted", balance: { posted: 100n, held: 0n, available: 100n }, amount: 100n };
    expect(balances.inTransaction.credit(credit)).toEqual(posted);
    expect(await peer.balance("a")).toMatchObject({ posted: 0n });
    expect(balances.inTransaction.debit({ ...creditOf("a", 30n), from: "paid" })).toMatchObject({ amount: 30n });
    database.exec("COMMIT");
    expect(orders.all()).toEqual(["order 1"]);
    expect(await peer.balance("a")).toMatchObject({ posted: 70n });
    expect(await balances.credit(credit)).toMatchObject({ outcome: "repeated" });
    expect(await balances.verify()).toEqual([]);
  });

  it("has no effect when the host rolls back", async () => {
    const { database, balances, orders } = withOrders();
    const credit = { ...creditOf("a", 100n), kind: "granted", expiresAt: new Date(Date.now() + 60_000) } as const;
    database.exec("BEGIN IMMEDIATE");
    orders.add("order 1");
    expect(balances.inTransaction.credit(credit)).toMatchObject({ outcome: "posted" });
    expect(balances.inTransaction.credit(credit)).toMatchObject({ outcome: "repeated" });
    database.exec("ROLLBACK");
    expect(orders.all()).toEqual([]);
    expect(await balances.findAccount("a")).toBeUndefined();
    expect(await balances.credit(credit)).toMatchObject({ outcome: "posted" });
  });

  it("that throws leaves the transaction of the host open and without a part of it", async () => {
    const { database, balances, orders } = withOrders();
    await balances.credit(creditOf("a", 2n ** 63n - 1n));
    database.exec("BEGIN IMMEDIATE");
    orders.add("order 1");
    expect(() => balances.inTransaction.credit(creditOf("a", 1n))).toThrow(/would take account a beyond/);
    expect(() => balances.inTransaction.credit(creditOf("a", 0n))).toThrow(RangeError);
    expect(balances.inTransaction.credit(creditOf("b", 5n))).toMatchObject({ outcome: "posted" });
    database.exec("COMMIT");
    expect(orders.all()).toEqual(["order 1"]);
    expect(await balances.balance("b")).toMatchObject({ posted: 5n });
    expect(await balances.verify()).toEqual([]);
  });

  it("throws without a transaction, and says how to begin one", async () => {
    const { database, balances } = withOrders();
    expect(() => balances.inTransaction.credit(creditOf("a", 5n))).toThrow(/Begin one first, .*BEGIN IMMEDIATE/);
    expect(() => balances.inTransaction.debit(creditOf("a", 5n))).toThrow(/no transaction to join/);
    expect(database.isTransaction).toBe(false);
    expect(await balances.findAccount("a")).toBeUndefined();
  });
});

describe.each([
  ["whose driver tells whether a transaction is open", (database: SqliteDatabase) => database],
  ["whose driver does not", (database: SqliteDatabase) => withoutState(database)],
])("while the host has a transaction open on a connection %s", (_title, wrap) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("the other calls wait until it commits, and do not see what it has not", async () => {
    const { database, balances, keys, orders } = withOrders(wrap);
    const { secret } = await run(keys.create({ account: "a", plan: "basic" }));
    database.exec("BEGIN IMMEDIATE");
    orders.add("order 1");
    balances.inTransaction.credit(creditOf("a", 100n));
    const done: string[] = [];
    const calls = [
      note("balance", balances.balance("a")),
      note("entries", balances.entries({ account: "a", limit: 10 })),
      note("key", keys.find(secret)),
      note("credit", balances.credit(creditOf("a", 1n))),
      note("verify", balances.verify()),
    ];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual([]);
    database.exec("COMMIT");
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all(calls);
    expect(done.toSorted()).toEqual(["balance", "credit", "entries", "key", "verify"]);
    expect(await run(balances.balance("a"))).toMatchObject({ posted: 101n });

    async function note(name: string, call: unknown): Promise<void> {
      await call;
      done.push(name);
    }
  });

  it("a call throws after five seconds, without effect, and the transaction stays open", async () => {
    const { database, balances, orders } = withOrders(wrap);
    database.exec("BEGIN IMMEDIATE");
    orders.add("order 1");
    const failures: string[] = [];
    const note = ({ message }: Error) => void failures.push(message);
    Promise.resolve(balances.credit(creditOf("a", 5n))).catch(note);
    Promise.resolve(balances.balance("a")).catch(note);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(failures).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    const text = /^A transaction that the store did not begin has been open .* for 5000 ms, so nothing was done/;
    expect(failures).toEqual([expect.stringMatching(text), expect.stringMatching(text)]);
    database.exec("COMMIT");
    expect(orders.all()).toEqual(["order 1"]);
    expect(await run(balances.balance("a"))).toMatchObject({ posted: 0n });
    expect(await run(balances.credit(creditOf("a", 5n)))).toMatchObject({ outcome: "posted" });
  });
});

/** Resolves a call while time passes. */
async function run<T>(call: T | Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(50);
  return await call;
}

/** Stores in a database that also has a table of the host. */
function withOrders(wrap: (database: SqliteDatabase) => SqliteDatabase = (database) => database) {
  const { connect } = temporaryDatabase();
  const database = connect();
  database.exec("CREATE TABLE customer_order (id TEXT)");
  const { balances, keys } = sqliteStores(wrap(database));
  const orders = {
    add: (id: string) => database.prepare("INSERT INTO customer_order VALUES (?)").run(id),
    all: () =>
      database
        .prepare("SELECT id FROM customer_order")
        .all()
        .map(({ id }) => id),
  };
  return { database, balances, keys, orders, connect };
}

const withoutState = (database: SqliteDatabase): SqliteDatabase => ({
  exec: (sql) => database.exec(sql),
  prepare: (sql) => database.prepare(sql),
});
