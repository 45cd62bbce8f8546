import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { type SqliteDatabase, sqliteBalanceStore, sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

describe("opening a database", () => {
  it("sets it up so that nothing that a call has confirmed is lost", () => {
    const database = temporaryDatabase().connect();
    sqliteStores(database);
    const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get());
    expect(setting("journal_mode")).toEqual(["wal"]);
    expect(setting("synchronous")).toEqual([2]);
    expect(setting("foreign_keys")).toEqual([1]);
    expect(setting("busy_timeout")).toEqual([2]);
  });

  it("creates STRICT tables that all have one prefix, and keeps the host's tables", () => {
    const database = temporaryDatabase().connect();
    database.exec("CREATE TABLE account (id TEXT); INSERT INTO account VALUES ('the host''s own')");
    sqliteStores(database);
    const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all();
    const ours = tables.filter(({ name }) => !["account", "sqlite_schema", "sqlite_sequence"].includes(name));
    expect(ours.length).toBeGreaterThan(4);
    for (const table of ours) expect(table).toEqual({ name: expect.stringMatching(/^tollgate_/), strict: 1 });
    expect(database.prepare("SELECT id FROM account").all()).toEqual([{ id: "the host's own" }]);
  });

  it("finds all the data again when it is reopened", async () => {
    const { connect } = temporaryDatabase();
    const first = connect();
    const before = sqliteStores(first);
    const issued = await before.keys.create({ account: "a", plan: "basic", limits: { concurrency: 2 } });
    const revoked = await before.keys.create({ account: "a", plan: "basic" });
    await before.keys.revoke(revoked.key.id);
    const acceptance = await before.terms.accept("a", "v1");
    await before.balances.credit(creditOf("a", 1_000n));
    const keyId = issued.key.id;
    const [running, ended] = [holdOf("a", 100n, { keyId }), holdOf("a", 200n, { keyId })];
    for (const request of [running, ended])
      expect(await before.balances.hold(request)).toMatchObject({ outcome: "held" });
    await before.balances.settle({ id: ended.id, account: "a" }, 150n, chargeReceipt);
    const page = await before.balances.entries({ account: "a", limit: 10 });
    first.close();

    const after = sqliteStores(connect());
    expect(await after.keys.find(issued.secret)).toEqual(issued.key);
    expect((await after.keys.find(revoked.secret))?.revokedAt).toBeInstanceOf(Date);
    expect(await after.terms.acceptance("a", ["v1"])).toEqual(acceptance);
    expect(await after.balances.balance("a")).toMatchObject({ posted: 850n, held: 100n, available: 750n });
    expect(await after.balances.entries({ account: "a", limit: 10 })).toEqual(page);
    expect(await after.balances.settle({ id: ended.id, account: "a" }, 150n, chargeReceipt)).toEqual({
      outcome: "repeated",
    });
    expect(await after.balances.settle({ id: running.id, account: "a" }, 100n, chargeReceipt)).toEqual({
      outcome: "ended",
    });
    expect(await after.balances.verify()).toEqual([]);
  });

  it("works for a database in memory", async () => {
    const database = new DatabaseSync(":memory:");
    const { balances } = sqliteStores(database);
    expect(await balances.credit(creditOf("a", 5n))).toMatchObject({ outcome: "posted" });
    database.close();
  });

  it("migrates it once, even if several processes open it at the same time", async () => {
    const { file, connect } = temporaryDatabase();
    const run = promisify(execFile);
    // The process imports the package as published, so it must have been built.
    const given = ["open.mjs", file, String(Date.now() + 1_000)];
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => run(process.execPath, given, { cwd: import.meta.dirname })),
    );
    expect(opened.map(({ stdout }) => stdout)).toEqual(Array(6).fill("posted\n"));
    const [database, migratedOnce] = [connect(), temporaryDatabase().connect()];
    sqliteStores(migratedOnce);
    const versionsOf = (each: typeof database) => each.prepare("SELECT version FROM tollgate_migration").all();
    expect(versionsOf(database)).toEqual(versionsOf(migratedOnce));
    expect(await sqliteBalanceStore(database).balance("a")).toMatchObject({ posted: 6n });
  }, 60_000);
});

describe("a database that cannot be used safely is rejected", () => {
  it("if its library can lose commits, with an error that says what to do", () => {
    for (const old of ["3.51.2", "3.50.7", "3.9.99", "2.99.99"]) {
      expect(() => sqliteStores(claiming(old))).toThrow(/SQLite .* can lose committed writes.*Update Node/);
    }
    for (const safe of ["3.51.3", "3.53.0", "3.100.0", "4.0.0"])
      expect(() => sqliteStores(claiming(safe))).not.toThrow();
  });

  it("if a newer version has migrated it, and is not changed", () => {
    const database = temporaryDatabase().connect();
    sqliteStores(database);
    database.exec("INSERT INTO tollgate_migration (version, applied_at) VALUES (99, 0)");
    expect(() => sqliteStores(database)).toThrow(/version 99 .*Update @tollgate\/sqlite/);
    expect(database.isTransaction).toBe(false);
  });

  it("if its statements cannot read integers as bigint, before anything is written", () => {
    const database = temporaryDatabase().connect();
    const otherDriver: SqliteDatabase = {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => Object.create(database.prepare(sql), { setReadBigInts: { value: undefined } }),
    };
    expect(() => sqliteStores(otherDriver)).toThrow(/no `setReadBigInts`.*Pass a DatabaseSync of node:sqlite/);
    expect(database.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
  });
});

/** A database in memory whose library reports the given version. */
function claiming(version: string): SqliteDatabase {
  const database = new DatabaseSync(":memory:");
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql.replace("sqlite_version()", `'${version}'`)),
  };
}
