import { sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { chargeReceipt } from "../../packages/core/test-support/receipts.ts";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

const most = 2n ** 63n - 1n;

describe("an error in the middle of an operation", () => {
  it("rolls back the whole operation when the disk is full, and later operations succeed", async () => {
    const database = temporaryDatabase().connect();
    const { balances, keys } = sqliteStores(database);
    const keyId = (await keys.create({ account: "a", plan: "basic" })).key.id;
    await balances.credit(creditOf("a", 1_000_000n));
    const { page_count: pages } = database.prepare("PRAGMA page_count").get();
    database.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const settled = [];
    const fill = async () => {
      for (;;) {
        const request = holdOf("a", 10n, { keyId });
        await balances.hold(request);
        await balances.settle(request, 7n, chargeReceipt);
        settled.push(request.id);
      }
    };
    await expect(fill()).rejects.toThrow(/full/);
    expect(database.isTransaction).toBe(false);
    expect(await balances.verify()).toEqual([]);
    const { posted } = await balances.balance("a");
    expect(posted).toBe(1_000_000n - 7n * BigInt(settled.length));
    database.exec("PRAGMA max_page_count = 1000000");
    expect(await balances.hold(holdOf("a", 10n, { keyId }))).toMatchObject({ outcome: "held" });
  });

  it("rolls back a rotation whose second statement fails", async () => {
    const database = temporaryDatabase().connect();
    const { keys } = sqliteStores(database);
    const { key, secret } = await keys.create({ account: "a", plan: "basic" });
    database.exec("CREATE TRIGGER no_more BEFORE INSERT ON tollgate_key BEGIN SELECT raise(ABORT, 'no more'); END");
    await expect(keys.rotate(key.id, { graceMs: 0 })).rejects.toThrow("no more");
    expect(await keys.find(secret)).toEqual(key);
  });
});

describe("amounts beyond 64 bits", () => {
  it("are rejected by every method, without effect", async () => {
    const { balances } = sqliteStores(temporaryDatabase().connect());
    const beyond = /SQLite stores integers .* 9223372036854775807/;
    expect(() => balances.hold(holdOf("a", most + 1n))).toThrow(beyond);
    expect(() => balances.settle({ id: "x", account: "a" }, most + 1n, chargeReceipt)).toThrow(beyond);
    expect(() => balances.renew([{ id: "x", account: "a", used: most + 1n }], 1)).toThrow(beyond);
    expect(() => balances.credit(creditOf("a", most + 1n))).toThrow(RangeError);
    expect(() => balances.debit(creditOf("a", most + 1n))).toThrow(RangeError);
  });

  it("cannot result from a sum: the posting is rejected and the balance stays exact", async () => {
    const { connect } = temporaryDatabase();
    const { balances, keys } = sqliteStores(connect());
    await balances.credit(creditOf("a", most));
    await expect(balances.credit(creditOf("a", 1n))).rejects.toThrow(/would take account a beyond/);
    expect(await balances.balance("a")).toMatchObject({ posted: most, held: 0n, available: most });
    const keyId = (await keys.create({ account: "a", plan: "basic" })).key.id;
    const request = holdOf("a", most, { keyId });
    expect(await balances.hold(request)).toMatchObject({ outcome: "held", balance: { available: 0n } });
    expect(await balances.settle(request, most, chargeReceipt)).toEqual({ outcome: "ended" });
    await balances.debit(creditOf("a", most));
    await expect(balances.debit(creditOf("a", 2n))).rejects.toThrow(RangeError);
    expect(await balances.balance("a")).toMatchObject({ posted: -most });
    expect(await balances.hold(holdOf("a", most, { keyId }))).toMatchObject({ outcome: "insufficient" });
  });

  it("do not disturb totals and verify(), although the credits and the charges alone sum to more", async () => {
    const { balances, keys } = sqliteStores(temporaryDatabase().connect());
    const keyId = (await keys.create({ account: "a", plan: "basic" })).key.id;
    for (let round = 0; round < 3; round++) {
      await balances.credit(creditOf("a", most));
      const request = holdOf("a", most, { keyId });
      await balances.hold(request);
      expect(await balances.settle(request, most, chargeReceipt)).toEqual({ outcome: "ended" });
    }
    expect((await balances.balance("a")).totals).toEqual({ credited: 3n * most, used: 3n * most });
    expect(await balances.usedBy(keyId)).toBe(3n * most);
    expect(await balances.verify()).toEqual([]);
  });
});

describe("unusual names", () => {
  it("are treated like any other name if SQLite can store them", async () => {
    const { balances, keys, terms } = sqliteStores(temporaryDatabase().connect());
    const names = ["it's", '"; DROP TABLE tollgate_entry; --', "__proto__", "%_", "日本", "😀", " a ", "A", "a"];
    for (const [at, name] of names.entries()) {
      const { key } = await keys.create({ account: name, plan: name, name, models: [name] });
      await terms.accept(name, name);
      await balances.credit({ id: `${at} ${name}`, account: name, amount: BigInt(at + 1), reason: name });
      const request = { ...holdOf(name, 1n, { keyId: key.id, id: name }), terms: [name] };
      expect(await balances.hold(request)).toMatchObject({ outcome: "held" });
    }
    for (const [at, name] of names.entries()) {
      expect(await balances.balance(name)).toMatchObject({ posted: BigInt(at + 1), held: 1n });
      expect((await keys.list({ account: name, limit: 2 })).keys).toMatchObject([{ name, models: [name] }]);
    }
    expect(await balances.verify()).toEqual([]);
  });

  it("that SQLite would truncate or change are rejected, so that two accounts never become one", async () => {
    const { balances, keys, terms } = sqliteStores(temporaryDatabase().connect());
    await balances.credit(creditOf("a", 5n));
    for (const name of ["a\0b", "a\0", "\ud800", "a\udc00b"]) {
      await expect(balances.credit(creditOf(name, 5n))).rejects.toThrow(RangeError);
      expect(() => balances.balance(name)).toThrow(RangeError);
      await expect(balances.hold(holdOf(name, 5n))).rejects.toThrow(/NUL character or half a surrogate pair/);
      await expect(terms.accept(name, "v1")).rejects.toThrow(RangeError);
      await expect(keys.create({ account: name, plan: "basic" })).rejects.toThrow(RangeError);
    }
    expect(await balances.balance("a")).toMatchObject({ posted: 5n });
  });

  it("a key whose expiry is an invalid date is rejected, because NULL would mean that it never expires", async () => {
    const { keys } = sqliteStores(temporaryDatabase().connect());
    const wanted = { account: "a", plan: "basic", expiresAt: new Date("never") };
    await expect(keys.create(wanted)).rejects.toThrow(RangeError);
  });
});

it("does not query the database for a text that cannot be a key", async () => {
  const database = temporaryDatabase().connect();
  const { keys } = sqliteStores(database);
  const { secret } = await keys.create({ account: "a", plan: "basic" });
  database.close();
  expect(keys.find("sk-not-ours")).toBeUndefined();
  expect(keys.find(`${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`)).toBeUndefined();
  expect(() => keys.find(secret)).toThrow(/closed|not open/);
});
