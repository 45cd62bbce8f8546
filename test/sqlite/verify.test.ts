import { sqliteBalanceStore, sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

/** Changes to the database that bypass the store, and the problems that `verify` reports for each. */
const corruptions: Readonly<Record<string, readonly [sql: string, problems: readonly string[]]>> = {
  "a balance that was increased": [
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
  "a missing entry": [
    "DROP TRIGGER tollgate_entry_undeleted; DELETE FROM tollgate_entry WHERE reference = 'settled'",
    [
      "Account a has 930 posted, but its entries sum to 1000.",
      "Hold settled was charged 70, but its entries sum to 0.",
      "Account a has 70 used, but its entries sum to 0.",
      "Key KEY has 70 used, but its entries sum to 0.",
    ],
  ],
  "a charge for a pending hold": [
    "UPDATE tollgate_hold SET charged = 5 WHERE id = 'pending'",
    [
      "Hold pending was charged 5, but its entries sum to 0.",
      "Hold pending was charged 5, but it is neither settled nor expired.",
    ],
  ],
  "a missing hold": [
    "DELETE FROM tollgate_hold WHERE id = 'settled'",
    ["Account a has an entry of -70 for hold settled, which does not exist for this account."],
  ],
  "a missing account": [
    "PRAGMA foreign_keys = OFF; DELETE FROM tollgate_account",
    ["Account a has 0 posted, but its entries sum to 930.", "Account a has 0 held, but its pending holds sum to 100."],
  ],
  "a negative held amount": [
    "PRAGMA ignore_check_constraints = ON; UPDATE tollgate_account SET held = -1 WHERE id = 'a'",
    ["Account a has -1 held, but its pending holds sum to 100.", "Account a has -1 held, which is below zero."],
  ],
  "a total of credits that was increased": [
    "UPDATE tollgate_account SET credited_nanos = credited_nanos + 1 WHERE id = 'a'",
    ["Account a has 1001 credited, but its entries sum to 1000."],
  ],
  "a total that was decreased by a unit": [
    "UPDATE tollgate_account SET used_units = used_units - 1 WHERE id = 'a'",
    ["Account a has -999999930 used, but its entries sum to 70."],
  ],
  "the usage of a key that was increased": [
    "UPDATE tollgate_key_usage SET used_nanos = used_nanos + 1",
    ["Key KEY has 71 used, but its entries sum to 70."],
  ],
  "the usage of a key that is missing": [
    "DELETE FROM tollgate_key_usage",
    ["Key KEY has 0 used, but its entries sum to 70."],
  ],
};

/** Changes of lots: one of 100 that expires, of which 70 are charged and 5 refunded, and one of 9. */
const lotCorruptions: Readonly<Record<string, readonly [sql: string, problems: readonly string[]]>> = {
  "a lot that was increased": [
    "UPDATE tollgate_lot SET rest = rest + 1 WHERE id = 'expiring'",
    [
      "Lot expiring of account a has 36 left, but its entries leave 35.",
      "Account a counts 44 in lots, but they have 45 left.",
    ],
  ],
  "a missing lot": [
    "DELETE FROM tollgate_lot WHERE id = 'granted'",
    [
      "Lot granted of account a has 0 left, but its entries leave 9.",
      "Account a counts 44 in lots, but they have 35 left.",
    ],
  ],
  "a lot without an entry": [
    "INSERT INTO tollgate_lot (account, id, kind, rest, sequence) VALUES ('a', 'made up', 'granted', 1, 1)",
    [
      "Lot made up of account a has 1 left, but its entries leave 0.",
      "Account a counts 44 in lots, but they have 45 left.",
    ],
  ],
  "an account that no longer knows when its lot expires": [
    "UPDATE tollgate_account SET next_lapse = NULL WHERE id = 'a'",
    ["Account a does not have the time at which its next lot expires."],
  ],
  "lots that have more than is posted": [
    "UPDATE tollgate_account SET posted = 43 WHERE id = 'a'",
    [
      "Account a has 43 posted, but its entries sum to 144.",
      "The lots of account a have 44 left, but it has 43 posted.",
    ],
  ],
};

describe("verify", () => {
  it("reports no problem for a consistent ledger", async () => {
    expect(await (await withHistory()).balances.verify()).toEqual([]);
  });

  for (const [name, [sql, problems]] of Object.entries(corruptions)) {
    it(`reports ${name}`, async () => {
      const { database, balances, keyId } = await withHistory();
      database.exec(sql);
      const found = problems.map((problem) => ({ account: "a", problem: problem.replace("KEY", keyId) }));
      expect(await balances.verify()).toEqual(found);
    });
  }

  for (const [name, [sql, problems]] of Object.entries(lotCorruptions)) {
    it(`reports ${name}`, async () => {
      const { database, balances } = await withLots();
      expect(await balances.verify()).toEqual([]);
      database.exec(sql);
      expect(await balances.verify()).toEqual(problems.map((problem) => ({ account: "a", problem })));
    });
  }

  it("takes less than three seconds for ten thousand holds of one account", async () => {
    const { database, balances } = await withHistory();
    database.exec(`
      WITH RECURSIVE n (at) AS (VALUES (1) UNION ALL SELECT at + 1 FROM n WHERE at < 10000)
      INSERT INTO tollgate_hold (id, account, key_id, amount, charged, state, created_at, expires_at)
        SELECT 'hold ' || at, 'a', 'key-1', 1, 1, 'settled', 0, 0 FROM n;
      INSERT INTO tollgate_entry (account, kind, amount, reference, at)
        SELECT 'a', 'charge', -1, id, 0 FROM tollgate_hold WHERE id LIKE 'hold %';
      UPDATE tollgate_account SET posted = posted - 10000 WHERE id = 'a'`);
    const before = process.cpuUsage();
    expect(await balances.verify()).toEqual([]);
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});

it("prevents an entry from being changed or deleted", async () => {
  const { database } = await withHistory();
  expect(() => database.exec("UPDATE tollgate_entry SET amount = 0")).toThrow("append-only");
  expect(() => database.exec("DELETE FROM tollgate_entry")).toThrow("append-only");
});

/** A store with one pending hold, one settled hold and one released hold. */
async function withHistory() {
  const database = temporaryDatabase().connect();
  const { balances, keys } = sqliteStores(database);
  const keyId = (await keys.create({ account: "a", plan: "basic" })).key.id;
  await balances.credit(creditOf("a", 1_000n));
  for (const id of ["pending", "settled", "released"]) {
    expect(await balances.hold(holdOf("a", 100n, { id, keyId }))).toMatchObject({ outcome: "held" });
  }
  await balances.settle({ id: "settled", account: "a" }, 70n, chargeReceipt);
  await balances.release({ id: "released", account: "a" });
  return { database, balances, keyId };
}

/** A store with two lots, and 100 that are paid. */
async function withLots() {
  const database = temporaryDatabase().connect();
  const balances = sqliteBalanceStore(database);
  const expiresAt = new Date(Date.now() + 3_600_000);
  await balances.credit({ ...creditOf("a", 100n), id: "expiring", kind: "paid", expiresAt });
  await balances.credit({ ...creditOf("a", 9n), id: "granted", kind: "granted" });
  await balances.credit(creditOf("a", 100n));
  await balances.hold(holdOf("a", 100n, { id: "settled" }));
  await balances.settle({ id: "settled", account: "a" }, 70n, chargeReceipt);
  const [charge] = (await balances.entries({ account: "a", limit: 1, reference: "settled" })).entries;
  await balances.refund({ account: "a", sequence: charge?.sequence ?? 0n, amount: 5n, reason: "poor answer" });
  return { database, balances };
}
