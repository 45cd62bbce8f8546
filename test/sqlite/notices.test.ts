import { type SqliteBalanceStore, sqliteBalanceStore } from "@tollgate/sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { outboxTables } from "../../packages/sqlite/src/notice-tables.ts";
import { creditOf, temporaryDatabase } from "./temporary-database.ts";

const day = 86_400_000;
const types = async (store: SqliteBalanceStore) =>
  (await store.claimNotices({ limit: 100, leaseMs: 60_000 })).map(({ type }) => type);

describe("the outbox", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("gets no notices of money and freezes while nobody has read it for three days", async () => {
    const store = sqliteBalanceStore(temporaryDatabase().connect());
    const tellAll = async () => {
      await store.credit({ ...creditOf("a", 5n), expiresAt: new Date(Date.now() + day) });
      await store.freeze("a", "dispute 17");
      await store.thaw("a");
      await store.expire();
    };
    await tellAll();
    expect(await store.waitingNotices()).toEqual({ count: 0 });
    // The first claim finds none, and the sweep after it the lot.
    expect(await types(store)).toEqual([]);
    await store.expire();
    expect(await types(store)).toEqual(["balance.expiring"]);
    vi.setSystemTime(Date.now() + 2.9 * day);
    await tellAll();
    const all = ["balance.credited", "account.frozen", "account.thawed", "balance.expiring"];
    expect((await types(store)).slice(1)).toEqual(all);
    vi.setSystemTime(Date.now() + 3 * day);
    await tellAll();
    expect(await store.waitingNotices()).toMatchObject({ count: 5 });
  });
});

describe("a notice", () => {
  it("is one commit with what it tells of", async () => {
    const database = temporaryDatabase().connect();
    const store = sqliteBalanceStore(database);
    await types(store);
    database.exec("CREATE TRIGGER none BEFORE INSERT ON tollgate_notice BEGIN SELECT raise(ABORT, 'no notice'); END");
    await expect(store.credit(creditOf("a", 5n))).rejects.toThrow("no notice");
    await expect(store.freeze("b", "dispute 17")).rejects.toThrow("no notice");
    expect(await store.listAccounts({ limit: 10 })).toEqual({ accounts: [] });
    database.exec("DROP TRIGGER none");
    database.exec("BEGIN IMMEDIATE");
    store.inTransaction.credit(creditOf("a", 5n));
    database.exec("ROLLBACK");
    expect(await types(store)).toEqual([]);
  });

  it("is also written of a lot from before the outbox knew its readers", async () => {
    const file = temporaryDatabase();
    const old = file.connect();
    await sqliteBalanceStore(old).credit({ ...creditOf("a", 5n), expiresAt: new Date(Date.now() + day) });
    old.exec(`
      DROP INDEX tollgate_lot_expiry;
      ALTER TABLE tollgate_lot DROP COLUMN noticed;
      DROP TABLE tollgate_outbox;
      ${outboxTables}`);
    const store = sqliteBalanceStore(file.connect());
    await types(store);
    await store.expire();
    expect(await types(store)).toEqual(["balance.expiring"]);
    expect(await store.verify()).toEqual([]);
  });
});
