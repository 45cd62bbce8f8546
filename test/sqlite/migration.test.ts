import { readFileSync } from "node:fs";
import { type SqliteDatabase, sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { usageTables } from "../../packages/sqlite/src/usage-tables.ts";
import { newSession } from "./session.ts";
import { temporaryDatabase } from "./temporary-database.ts";

// A dump of a database that has the tables of the first published version.
const readVersion = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
const firstVersion = readVersion("version-1.sql");
// What version 2 added: the tables of sessions, with rows.
const secondVersion = readVersion("version-2.sql");
// What version 3 added: the sizes of sessions.
const hourMs = 3_600_000;
const thirdVersion = readVersion("version-3.sql");
// A dump of a database of the last version, with holds in every state.
const lastVersion = readVersion("version-14.sql");
const isOfTables = (line: string) => !line.startsWith("INSERT") || line.startsWith("INSERT INTO tollgate_migration");
const lastTables = lastVersion.split("\n").filter(isOfTables).join("\n");

it("a database of version 1 keeps its data, and gets the tables of sessions", async () => {
  const database = temporaryDatabase().connect();
  database.exec(firstVersion);
  const names = ["key", "terms_acceptance", "account", "hold", "entry"];
  const all = () => names.map((name) => database.prepare(`SELECT * FROM tollgate_${name}`).all());
  const before = all();
  expect(before.map((rows) => rows.length)).toEqual([2, 1, 1, 3, 2]);

  const { keys, balances, terms, sessions } = sqliteStores(database);
  expect(all()).toMatchObject(before);
  const versions = database.prepare("SELECT version FROM tollgate_migration ORDER BY version").all();
  expect(versions.length).toBeGreaterThan(3);
  expect(versions).toEqual(versions.map((_, index) => ({ version: index + 1 })));
  const listed = await keys.list({ limit: 10 });
  expect(listed.keys).toMatchObject([{ name: "it's", limits: { concurrency: 2 } }, { revokedAt: expect.any(Date) }]);
  expect(await terms.acceptance("a", ["v1"])).toMatchObject({ account: "a" });
  expect(await balances.settle({ id: "running", account: "a" }, 100n, chargeReceipt)).toEqual({ outcome: "ended" });
  const totals = { credited: 1_000n, used: 250n };
  expect(await balances.balance("a")).toMatchObject({ posted: 750n, held: 0n, available: 750n, totals });
  expect(await balances.verify()).toEqual([]);
  const wanted = newSession();
  expect(await sessions.create(wanted)).toEqual({ outcome: "created", session: await sessions.find(wanted) });
});

it("a database of version 2 counts its existing sessions and their bytes", async () => {
  const database = temporaryDatabase().connect();
  database.exec(firstVersion + secondVersion);
  const texts = ["client_data", "message", "url", "log"].map((column) => {
    const table = column === "client_data" ? "session" : `session_${column === "url" ? "image" : column}`;
    return database.prepare(`SELECT ${column} AS text FROM tollgate_${table}`).all();
  });
  const bytes = texts.flat().reduce((sum, { text }) => sum + Buffer.byteLength(String(text)), 0);
  const { sessions } = sqliteStores(database);
  const counted = () => database.prepare("SELECT * FROM tollgate_session_account ORDER BY account").all();
  const empty = 2;
  expect(counted()).toEqual([
    { account: "a", sessions: 2, bytes: bytes - empty },
    { account: "b", sessions: 1, bytes: empty },
  ]);

  const { sessions: listed } = await sessions.list("a", { limit: 10 });
  expect(listed.map(({ id }) => id.at(-1))).toEqual(["2", "1"]);
  const [, old] = listed;
  if (old === undefined) throw new Error("There are two sessions.");
  expect(await sessions.create(newSession({ limits: { sessions: 2 } }))).toEqual({
    outcome: "full",
    limit: "sessions",
  });
  expect(await sessions.create(newSession({ limits: { bytes } }))).toMatchObject({ outcome: "created" });
  expect(await sessions.merge(old, [["customer", null]])).toMatchObject({ outcome: "merged" });
  expect((await sessions.messages(old, { limit: 10 }))?.messages.length).toBe(2);
  expect(await sessions.delete(old)).toBe(true);
  expect(counted()).toEqual([
    { account: "a", sessions: 2, bytes: 2 * empty },
    { account: "b", sessions: 1, bytes: empty },
  ]);
});

it("a database of version 3 reads its entries without receipts, and settles its pending holds", async () => {
  const database = temporaryDatabase().connect();
  database.exec(firstVersion + secondVersion + thirdVersion);
  database.exec("UPDATE tollgate_hold SET state = 'expired', charged = 0 WHERE id = 'released'");
  const { balances } = sqliteStores(database);
  expect(await balances.settle({ id: "running", account: "a" }, 100n, chargeReceipt)).toEqual({ outcome: "ended" });
  expect(await balances.settle({ id: "released", account: "a" }, 7n, chargeReceipt)).toEqual({ outcome: "late" });
  const { entries } = await balances.entries({ account: "a", limit: 10 });
  expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["credit", 1_000n],
    ["charge", -150n],
    ["charge", -100n],
    ["late", -7n],
  ]);
  for (const entry of entries) expect(entry).not.toHaveProperty("receipt");
  expect(await balances.verify()).toEqual([]);
});

it("a process of version 3 goes on beside one that has migrated, and keeps the dialects of a key that it changes", async () => {
  const file = temporaryDatabase();
  const old = file.connect();
  old.exec(firstVersion + secondVersion + thirdVersion);
  const find = old.prepare("SELECT * FROM tollgate_key WHERE id = ?");
  const expire = old.prepare("UPDATE tollgate_key SET expires_at = ?2 WHERE id = ?1");
  const add =
    old.prepare(`INSERT INTO tollgate_key (id, digest, account, plan, name, last_four, models, features, limits,
    created_at, expires_at, rotated_from) VALUES (?, ?, 'a', 'p', NULL, 'wxyz', NULL, NULL, NULL, 1000, NULL, NULL)`);
  expect(find.get("none")).toBeUndefined();

  const { keys } = sqliteStores(file.connect());
  const { key } = await keys.create({ account: "a", plan: "p", dialects: ["messages"] });
  expect(find.get(key.id)).toMatchObject({ id: key.id, last_four: key.lastFour });
  expire.run(key.id, 4_000_000_000_000);
  expect(await keys.get(key.id)).toEqual({ ...key, expiresAt: new Date(4_000_000_000_000) });
  add.run("k-old", "digest");
  const made = { id: "k-old", account: "a", plan: "p", lastFour: "wxyz", createdAt: new Date(1_000) };
  expect(await keys.get("k-old")).toEqual(made);
  expect(await keys.update("k-old", { dialects: ["chat"] })).toEqual({ ...made, dialects: ["chat"] });

  // Its rotations continue the counters of the first key of a chain, although it does not store whose these are.
  const second = await keys.rotate(key.id, { graceMs: 60_000 });
  const rotate = old.prepare(`INSERT INTO tollgate_key (id, digest, account, plan, name, last_four, models, features,
    limits, created_at, expires_at, rotated_from) VALUES (?1, ?1, 'a', 'p', NULL, 'wxyz', NULL, NULL, NULL, 1000, NULL, ?2)`);
  rotate.run("of-first", key.id);
  rotate.run("of-second", second?.key.id ?? "");
  for (const id of ["of-first", "of-second"]) {
    expect(await keys.get(id)).toMatchObject({ limitsId: key.id });
    expect((await keys.rotate(id, { graceMs: 60_000 }))?.key).toMatchObject({ rotatedFrom: id, limitsId: key.id });
  }
});

/** Takes back the migration to version 13. */
const withoutFlexibleHolds = `
    DROP INDEX tollgate_entry_time;
    DROP INDEX tollgate_entry_other;
    ALTER TABLE tollgate_hold DROP COLUMN asked;
    ALTER TABLE tollgate_spend DROP COLUMN charged;
    ALTER TABLE tollgate_account DROP COLUMN low_balance;
    ALTER TABLE tollgate_key DROP COLUMN limits_id;
`;

it("a database of version 11 fills the new totals from its rows, and tells refused requests from failed ones", async () => {
  const database = temporaryDatabase().connect();
  database.exec(lastTables);
  database.exec(`
    DELETE FROM tollgate_migration WHERE version > 11;
    DROP TABLE tollgate_usage; DROP TABLE tollgate_usage_total; DROP TABLE tollgate_usage_attempt;
    DROP TABLE IF EXISTS tollgate_usage_account_total;
    DROP INDEX tollgate_entry_answer; ALTER TABLE tollgate_entry DROP COLUMN answer_id;
    ${withoutFlexibleHolds}
    ${usageTables}`);
  const row = (id: string, at: number, status: number) => `
    INSERT INTO tollgate_usage (id, at, request_id, account, key_id, plan, endpoint, dialect, model, provider,
      upstream_model, status, ending, failed, input, cached_input, cache_write_5m, cache_write_1h, output, reasoning,
      estimated, cost, upstream_cost, duration_ms, duration_bucket, attempts, tags, timeline)
    VALUES ('${id}', ${at}, 'r', 'acme', 'key', 'pro', 'chat.completions', 'chat', 'm', 'up', 'x', ${status}, 'complete',
      ${Number(status >= 400)}, 1, 0, 0, 0, 2, 0, 0, 5, NULL, 30, 2, 1, '[]', '[]');`;
  database.exec(row("a", 0, 200) + row("b", 1, 429) + row("c", hourMs, 502));
  const sums = Array.from({ length: 54 - 3 }, () => "0").join(", ");
  // The total of a model, whose oldest row has been removed.
  database.exec(`INSERT INTO tollgate_usage_total VALUES ('model day', 0, 'm', 4, 3, ${sums})`);

  const { usage } = sqliteStores(database);
  const period = { from: new Date(0), to: new Date(2 * hourMs), bucket: "hour" } as const;
  const byHour = [
    { start: new Date(0), requests: 2, failed: 0, refused: 1, cost: 10n },
    { start: new Date(hourMs), requests: 1, failed: 1, refused: 0, cost: 5n },
  ];
  for (const groupBy of ["account", "key", "target"] as const)
    expect(await usage.summary({ ...period, groupBy })).toMatchObject(byHour);
  expect(await usage.summary({ ...period, to: new Date(24 * hourMs), bucket: "day" })).toMatchObject([
    { requests: 4, failed: 2, refused: 1 },
  ]);
  for (const [groupBy, group] of [
    ["model", "m"],
    ["key", "key"],
  ] as const) {
    const ofAccount = {
      from: new Date(0),
      to: new Date(24 * hourMs),
      bucket: "day",
      filter: { account: "acme" },
    } as const;
    expect(await usage.summary({ ...ofAccount, groupBy })).toMatchObject([
      { start: new Date(0), group, requests: 3, failed: 1, refused: 1, cost: 15n },
    ]);
  }
  expect((await usage.list({ limit: 10 })).rows).toHaveLength(3);
});

it("a database of the version before flexible holds counts notices by charges, and rotated keys together", async () => {
  const database = temporaryDatabase().connect();
  database.exec(lastTables);
  // As that version left it.
  database.exec(`
    DELETE FROM tollgate_migration WHERE version > 12;
    DROP TABLE IF EXISTS tollgate_usage_account_total;
    ${withoutFlexibleHolds}
    INSERT INTO tollgate_key (id, digest, account, plan, last_four, created_at, rotated_from)
      SELECT column1, column1, 'a', 'p', 'wxyz', 1000, column2
        FROM (VALUES ('k1', NULL), ('k2', 'k1'), ('k3', 'k2'), ('k4', 'k3'), ('other', NULL));
    INSERT INTO tollgate_spend (scope, subject, period, timezone, starts_at, spent)
      VALUES ('key', 'k1', 'total', 'UTC', 0, 10), ('key', 'k2', 'total', 'UTC', 0, 20), ('key', 'k4', 'total', 'UTC', 0, 7),
             ('key', 'other', 'total', 'UTC', 0, 3);
    INSERT INTO tollgate_account (id, posted, held, low_below) VALUES ('a', 60, 15, 50), ('b', 40, 0, 50);
    INSERT INTO tollgate_hold (id, account, key_id, amount, created_at, expires_at, key_spend)
      SELECT 'pending', 'a', 'k2', 15, 1000, 4000000000000, id FROM tollgate_spend WHERE subject = 'k2';
  `);
  const { keys, balances } = sqliteStores(database);
  const { keys: listed } = await keys.list({ limit: 10 });
  expect(listed.map(({ limitsId }) => limitsId)).toEqual([undefined, "k1", "k1", "k1", undefined]);
  const limit = { limit: 100n, window: "total" } as const;
  const spent = async (id: string) => (await balances.spendOf([{ scope: "key", id, limit }]))[0]?.spent;
  expect([await spent("k1"), await spent("other")]).toEqual([37n, 3n]);
  await balances.settle({ id: "pending", account: "a" }, 4n, chargeReceipt);
  expect(await spent("k1")).toBe(26n);
  const rows = (sql: string) => database.prepare(sql).all();
  expect(rows("SELECT subject, charged FROM tollgate_spend WHERE subject IN ('k1', 'other') ORDER BY 1")).toEqual([
    { subject: "k1", charged: 26 },
    { subject: "other", charged: 3 },
  ]);
  expect(rows("SELECT id, low_balance, low_below FROM tollgate_account ORDER BY id")).toEqual([
    { id: "a", low_balance: 50, low_below: null },
    { id: "b", low_balance: 50, low_below: 50 },
  ]);
});

describe("a database of the last version", () => {
  const open = () => {
    const file = temporaryDatabase();
    const database = file.connect();
    database.exec(lastVersion);
    return { file, database };
  };
  const ofKey = (database: SqliteDatabase, name: string) =>
    String(Object(database.prepare("SELECT id FROM tollgate_key WHERE name = ?").get(name)).id);

  it("has the totals of its accounts and keys, and all entries and holds as before", async () => {
    const { database } = open();
    const rowsOf = (table: string) => database.prepare(`SELECT * FROM tollgate_${table}`).all();
    const [entries, holds] = [rowsOf("entry"), rowsOf("hold")];
    const { balances, keys } = sqliteStores(database);
    expect(rowsOf("entry")).toMatchObject(entries);
    expect(rowsOf("hold")).toMatchObject(holds);
    expect([entries.length, holds.length]).toEqual([10, 7]);
    const nothing = { expiring: [] };
    const [a, b] = [await balances.balance("a"), await balances.balance("b")];
    expect(a).toEqual({
      posted: 1_170n,
      held: 387n,
      available: 783n,
      ...nothing,
      totals: { credited: 1_500n, used: 280n },
    });
    expect(b).toEqual({ posted: -12n, held: 0n, available: -12n, ...nothing, totals: { credited: 7n, used: 0n } });
    expect(await balances.usedBy(ofKey(database, "first"))).toBe(230n);
    expect(await balances.usedBy(ofKey(database, "second"))).toBe(50n);
    expect(await balances.verify()).toEqual([]);
    for (const key of (await keys.list({ limit: 10 })).keys) expect(key).not.toHaveProperty("scopes");
    const page = await balances.entries({ account: "a", limit: 20 });
    expect(page.entries.map(({ kind }) => kind).join()).toBe("credit,credit,debit,charge,expiry,expiry,late,charge");
    const receipts = page.entries.map(({ receipt }) => receipt?.charge?.status ?? receipt?.requestId);
    const absent = undefined;
    expect(receipts).toEqual([absent, absent, absent, "complete", "req-1", "req-1", "complete", absent]);
  });

  it("ends its holds, refunds its charges, and takes lots", async () => {
    const { database } = open();
    const { balances } = sqliteStores(database);
    expect(await balances.settle({ id: "running", account: "a" }, 100n, chargeReceipt)).toEqual({ outcome: "ended" });
    expect(await balances.settle({ id: "expired", account: "a" }, 20n, chargeReceipt)).toEqual({ outcome: "late" });
    const { entries } = await balances.entries({ account: "a", limit: 20 });
    const charge = entries.findLast(({ reference }) => reference === "old");
    const refund = { account: "a", sequence: charge?.sequence ?? 0n, reason: "poor answer" };
    expect(await balances.refund(refund)).toMatchObject({ outcome: "posted", amount: 80n });
    const credit = { id: "promotion", account: "b", amount: 20n, reason: "promotion", kind: "granted" } as const;
    expect(await balances.credit(credit)).toMatchObject({ outcome: "posted", balance: { posted: 8n } });
    const [last] = (await balances.entries({ account: "b", limit: 1, newestFirst: true })).entries;
    expect(last?.lots).toEqual([{ lot: "promotion", kind: "granted", amount: 8n }]);
    expect((await balances.balance("a")).totals).toEqual({ credited: 1_500n, used: 290n });
    expect(await balances.usedBy(ofKey(database, "first"))).toBe(150n);
    expect(await balances.verify()).toEqual([]);
  });

  it("keeps its totals while a process of that version goes on beside the new one", async () => {
    const { file, database } = open();
    const first = ofKey(database, "first");
    const move = database.prepare("UPDATE tollgate_account SET posted = posted + ?2, held = held - ?3 WHERE id = ?1");
    const end = database.prepare(
      "UPDATE tollgate_hold SET state = 'settled', charged = ?2, ended_at = 1 WHERE id = ?1",
    );
    const add = database.prepare(
      "INSERT INTO tollgate_entry (account, kind, amount, reference, at, key_id) VALUES ('a', 'charge', ?2, ?1, 1, ?3)",
    );
    const { balances } = sqliteStores(file.connect());
    move.run("a", -40n, 287n);
    end.run("flexible", 40n);
    add.run("flexible", -40n, first);
    expect(await balances.verify()).toEqual([]);
    expect((await balances.balance("a")).totals.used).toBe(320n);
    expect(await balances.usedBy(first)).toBe(270n);
  });
});

it.each([
  ["14", lastVersion],
  ["1", firstVersion],
  ["2", firstVersion + secondVersion],
  ["3", firstVersion + secondVersion + thirdVersion],
])("a database that was migrated from version %s has the same schema as a new one", (_version, sql) => {
  const [migrated, made] = [temporaryDatabase().connect(), temporaryDatabase().connect()];
  migrated.exec(sql);
  sqliteStores(migrated);
  sqliteStores(made);
  const schemaOf = (database: typeof made) =>
    database.prepare("SELECT type, name, sql FROM sqlite_master ORDER BY name").all();
  expect(schemaOf(migrated)).toEqual(schemaOf(made).map((row) => ({ ...row, sql: row["sql"] })));
});
