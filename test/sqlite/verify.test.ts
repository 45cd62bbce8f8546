import { sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

/** Each is a damage done behind the store's back, and what the check of the books says to it. */
const damages: Readonly<Record<string, readonly [sql: string, problems: readonly string[]]>> = {
  "a balance that was raised": [
    "UPDATE tollgate_account SET posted = posted + 1 WHERE id = 'a'",
    ["Account a has 931 posted, but its entries sum to 930."],
  ],
  "a hold that is counted twice": [
    "UPDATE tollgate_account SET held = held + 100 WHERE id = 'a'",
    ["Account a has 200 held, but its pending holds sum to 100."],
  ],
  "an ended hold that still counts": [
    "UPDATE tollgate_hold SET state = 'released' WHERE id = 'pending'",
    ["Account a has 100 held, but its pending holds sum to 0."],
  ],
  "an entry that was lost": [
    "DROP TRIGGER tollgate_entry_undeleted; DELETE FROM tollgate_entry WHERE reference = 'settled'",
    [
      "Account a has 930 posted, but its entries sum to 1000.",
      "Hold settled was charged 70, but its entries sum to 0.",
    ],
  ],
  "a charge that was made for a hold which runs": [
    "UPDATE tollgate_hold SET charged = 5 WHERE id = 'pending'",
    [
      "Hold pending was charged 5, but its entries sum to 0.",
      "Hold pending was charged 5, but has not been settled and has not expired.",
    ],
  ],
  "a hold that was lost": [
    "DELETE FROM tollgate_hold WHERE id = 'settled'",
    ["Account a has an entry of -70 for hold settled, which it never made."],
  ],
  "an account that was lost": [
    "PRAGMA foreign_keys = OFF; DELETE FROM tollgate_account",
    ["Account a has 0 posted, but its entries sum to 930.", "Account a has 0 held, but its pending holds sum to 100."],
  ],
  "a hold below zero": [
    "PRAGMA ignore_check_constraints = ON; UPDATE tollgate_account SET held = -1 WHERE id = 'a'",
    ["Account a has -1 held, but its pending holds sum to 100.", "Account a has -1 held, which is below zero."],
  ],
};

describe("the check of the books", () => {
  it("finds nothing where nothing is wrong", async () => {
    expect(await (await withHistory()).balances.verify()).toEqual([]);
  });

  for (const [name, [sql, problems]] of Object.entries(damages)) {
    it(`finds ${name}`, async () => {
      const { database, balances } = await withHistory();
      database.exec(sql);
      expect(await balances.verify()).toEqual(problems.map((problem) => ({ account: "a", problem })));
    });
  }

  it("takes a moment for ten thousand holds of one account", async () => {
    const { database, balances } = await withHistory();
    database.exec(`
      WITH RECURSIVE n (at) AS (VALUES (1) UNION ALL SELECT at + 1 FROM n WHERE at < 10000)
      INSERT INTO tollgate_hold (id, account, key_id, amount, charged, state, created_at, expires_at)
        SELECT 'hold ' || at, 'a', 'key-1', 1, 1, 'settled', 0, 0 FROM n;
      INSERT INTO tollgate_entry (account, kind, amount, reference, at)
        SELECT 'a', 'charge', -1, id, 0 FROM tollgate_hold WHERE id LIKE 'hold %';
      UPDATE tollgate_account SET posted = posted - 10000 WHERE id = 'a'`);
    const started = performance.now();
    expect(await balances.verify()).toEqual([]);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

it("does not let an entry be changed or deleted", async () => {
  const { database } = await withHistory();
  expect(() => database.exec("UPDATE tollgate_entry SET amount = 0")).toThrow("append-only");
  expect(() => database.exec("DELETE FROM tollgate_entry")).toThrow("append-only");
});

/** A store with one hold that runs, one that was settled and one that was released. */
async function withHistory() {
  const database = temporaryDatabase().connect();
  const { balances, keys } = sqliteStores(database);
  const keyId = (await keys.create({ account: "a", plan: "basic" })).key.id;
  await balances.credit(creditOf("a", 1_000n));
  for (const id of ["pending", "settled", "released"]) {
    expect(await balances.hold(holdOf("a", 100n, { id, keyId }))).toMatchObject({ outcome: "held" });
  }
  await balances.settle("settled", 70n);
  await balances.release("released");
  return { database, balances };
}
