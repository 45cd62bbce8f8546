import { type SqliteDatabase, sqliteBalanceStore } from "@tollgate/sqlite";
import { expect, it } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { creditOf, holdOf, temporaryDatabase, withStatements } from "./temporary-database.ts";

it("an account without lots never reads or writes any, in every method", async () => {
  const texts: string[] = [];
  const balances = sqliteBalanceStore(recording(temporaryDatabase().connect(), texts));
  await balances.credit(creditOf("a", 1_000n));
  const [settled, released, expired] = ["settled", "released", "expired"].map((id) =>
    holdOf("a", 100n, { id, leaseMs: id === "expired" ? 1 : 60_000 }),
  );
  for (const request of [settled, released, expired]) await balances.hold(request ?? expect.fail());
  await balances.settle({ id: "settled", account: "a" }, 70n, chargeReceipt);
  await balances.release({ id: "released", account: "a" });
  await balances.renew([{ id: "expired", account: "a", used: 30n }], 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await balances.expire()).toBe(1);
  await balances.settle({ id: "expired", account: "a" }, 10n, chargeReceipt);
  await balances.debit(creditOf("a", 5n));
  const { entries } = await balances.entries({ account: "a", limit: 10 });
  expect(entries.map(({ kind }) => kind)).toEqual(["credit", "charge", "expiry", "late", "debit"]);
  await balances.refund({ account: "a", sequence: entries[1]?.sequence ?? 0n, reason: "poor answer" });
  expect(await balances.balance("a")).toMatchObject({ posted: 985n, totals: { credited: 1_000n, used: 10n } });
  expect(texts.filter((text) => text.includes("tollgate_lot"))).toEqual([]);
  expect(texts.length).toBeGreaterThan(20);
});

it("a hold and its settlement run the same statements as before there were lots", async () => {
  const texts: string[] = [];
  const balances = sqliteBalanceStore(recording(temporaryDatabase().connect(), texts));
  await balances.credit(creditOf("a", 1_000n));
  const tables = async (call: () => unknown) => {
    texts.length = 0;
    await call();
    return texts.map((text) => /^\s*(\w+).*?tollgate_(\w+)/s.exec(text)?.slice(1).join(" "));
  };
  const request = holdOf("a", 100n);
  const hold = ["SELECT hold", "SELECT account", "UPDATE account", "INSERT hold"];
  expect(await tables(() => balances.hold(request))).toEqual(hold);
  const settlement = ["SELECT hold", "UPDATE hold", "UPDATE account", "INSERT entry", "SELECT account"];
  expect(await tables(() => balances.settle(request, 70n, chargeReceipt))).toEqual(settlement);
});

it("a sweep lets lots expire of accounts that are not used, and not those that their holds need", async () => {
  const { connect } = temporaryDatabase();
  const [balances, database] = [sqliteBalanceStore(connect()), connect()];
  const expiresAt = new Date(Date.now() - 1_000);
  for (const account of ["idle", "held"]) {
    await balances.credit({ ...creditOf(account, 10n), id: account });
    if (account === "held") await balances.hold(holdOf(account, 10n, { id: "running" }));
    await balances.debit(creditOf(account, 10n));
    await balances.credit({ ...creditOf(account, account === "held" ? 10n : 7n), id: `lot ${account}`, expiresAt });
  }
  expect(await balances.expire()).toBe(0);
  const rests = () => database.prepare("SELECT account, rest FROM tollgate_lot ORDER BY account").all();
  expect(rests()).toEqual([
    { account: "held", rest: 10 },
    { account: "idle", rest: 0 },
  ]);
  expect(await balances.expire()).toBe(0);
  await balances.release({ id: "running", account: "held" });
  expect(rests()).toEqual([
    { account: "held", rest: 0 },
    { account: "idle", rest: 0 },
  ]);
  expect(await balances.verify()).toEqual([]);
});

it("a low balance is noticed when money expires", async () => {
  const balances = sqliteBalanceStore(temporaryDatabase().connect());
  await balances.credit(creditOf("a", 40n));
  await balances.hold(holdOf("a", 0n, { notices: { thresholds: [], lowBalance: 50n } }));
  await balances.credit({ ...creditOf("a", 20n), expiresAt: new Date(Date.now() + 60) });
  await balances.claimNotices({ limit: 10, leaseMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 80));
  await balances.expire();
  const notices = await balances.claimNotices({ limit: 10, leaseMs: 60_000 });
  expect(notices).toMatchObject([{ type: "balance.low", account: "a", posted: 40n, below: 50n }]);
});

/** The database, whose statements add their text to the list when they run. */
const recording = (database: SqliteDatabase, texts: string[]): SqliteDatabase => ({
  exec: (sql) => database.exec(sql),
  prepare: (text) => {
    const noting =
      <Given extends unknown[], Result>(call: (...given: Given) => Result) =>
      (...given: Given) => {
        texts.push(text);
        return call(...given);
      };
    const noted = withStatements(database, (original) => ({
      run: noting((...given) => original.run(...given)),
      get: noting((...given) => original.get(...given)),
      all: noting((...given) => original.all(...given)),
    }));
    return noted.prepare(text);
  },
});
