import { readFileSync } from "node:fs";
import { sqliteStores } from "@tollgate/sqlite";
import { expect, it } from "vitest";
import { newSession } from "./session.ts";
import { temporaryDatabase } from "./temporary-database.ts";

// Written out of a database that the first published tables held.
const firstVersion = readFileSync(new URL("version-1.sql", import.meta.url), "utf8");

it("a database of version 1 keeps all that it has, and gets the tables of sessions", async () => {
  const database = temporaryDatabase().connect();
  database.exec(firstVersion);
  const names = ["key", "terms_acceptance", "account", "hold", "entry"];
  const all = () => names.map((name) => database.prepare(`SELECT * FROM tollgate_${name}`).all());
  const before = all();
  expect(before.map((rows) => rows.length)).toEqual([2, 1, 1, 3, 2]);

  const { keys, balances, terms, sessions } = sqliteStores(database);
  expect(all()).toEqual(before);
  expect(database.prepare("SELECT version FROM tollgate_migration").all()).toEqual([{ version: 1 }, { version: 2 }]);
  const listed = await keys.list({ limit: 10 });
  expect(listed.keys).toMatchObject([{ name: "it's", limits: { concurrency: 2 } }, { revokedAt: expect.any(Date) }]);
  expect(await terms.acceptance("a", ["v1"])).toMatchObject({ account: "a" });
  expect(await balances.settle("running", 100n)).toEqual({ outcome: "ended" });
  expect(await balances.balance("a")).toEqual({ posted: 750n, held: 0n, available: 750n });
  expect(await balances.verify()).toEqual([]);
  const wanted = newSession();
  expect(await sessions.create(wanted)).toEqual(await sessions.find(wanted));
});

it("a database that was migrated is as a new one", () => {
  const [migrated, made] = [temporaryDatabase().connect(), temporaryDatabase().connect()];
  migrated.exec(firstVersion);
  sqliteStores(migrated);
  sqliteStores(made);
  const schemaOf = (database: typeof made) =>
    database.prepare("SELECT type, name, sql FROM sqlite_master ORDER BY name").all();
  expect(schemaOf(migrated)).toEqual(schemaOf(made).map((row) => ({ ...row, sql: row["sql"] })));
});
