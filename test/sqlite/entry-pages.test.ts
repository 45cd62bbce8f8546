import { DatabaseSync } from "@photostructure/sqlite";
import type { EntryQuery } from "@tollgate/core/store";
import { type SqliteDatabase, sqliteBalanceStore } from "@tollgate/sqlite";
import { expect, it } from "vitest";

const whole = "tollgate_entry_account";
const ofPeriod = "tollgate_entry_time";
const to = new Date();
const from = new Date(0);

it.each<[string, Omit<EntryQuery, "account" | "limit">, readonly string[]]>([
  ["the oldest", {}, [whole]],
  ["the newest", { newestFirst: true, after: 9n }, [whole]],
  ["credits", { newestFirst: true, kind: "credit" }, ["tollgate_entry_other"]],
  ["charges", { newestFirst: true, kind: "charge" }, [whole]],
  ["a period", { newestFirst: true, from, to }, [whole, ofPeriod, ofPeriod]],
])("a page of %s reads only its own entries, in their order", async (_title, query, indexes) => {
  const plan = await planOf(query);
  expect(indexesIn(plan)).toEqual(indexes);
  expect(plan.join()).not.toContain("TEMP B-TREE");
});

it("the entries of a hold or posting are found without those of its account", async () => {
  expect(indexesIn(await planOf({ reference: "hold 1" }))).toEqual(["tollgate_entry_reference"]);
});

const indexesIn = (plan: readonly string[]) =>
  plan
    .filter((detail) => /^(?:SEARCH|SCAN)/.test(detail))
    .map((detail) => /^SEARCH tollgate_entry USING .*INDEX (\w+)/.exec(detail)?.[1]);

/** Returns how SQLite reads a page. */
async function planOf(query: Omit<EntryQuery, "account" | "limit">): Promise<string[]> {
  const database = new DatabaseSync(":memory:");
  const texts: string[] = [];
  const watched: SqliteDatabase = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      texts.push(sql);
      return database.prepare(sql);
    },
  };
  await sqliteBalanceStore(watched).entries({ account: "acme", limit: 10, ...query });
  const parameters = (texts.at(-1) ?? "").split("?").length - 1;
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${texts.at(-1)}`)
    .all(...Array.from({ length: parameters }, () => 1))
    .map((row) => String(Object(row).detail));
  database.close();
  return plan;
}
