import { sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { creditOf, holdOf, temporaryDatabase } from "./temporary-database.ts";

describe("concurrent calls", () => {
  it("share a transaction, and each gets its own result, in call order", async () => {
    const connection = temporaryDatabase().connect();
    const statements: string[] = [];
    const exec = (sql: string) => {
      statements.push(sql);
      connection.exec(sql);
    };
    const { balances, keys } = sqliteStores({ exec, prepare: (sql) => connection.prepare(sql) });
    const keyId = (await keys.create({ account: "a", plan: "basic" })).key.id;
    await balances.credit(creditOf("a", 30n));
    statements.length = 0;
    const holds = await Promise.all([1, 2, 3, 4, 5].map(() => balances.hold(holdOf("a", 10n, { keyId }))));
    expect(holds.map(({ outcome }) => outcome)).toEqual(["held", "held", "held", "insufficient", "insufficient"]);
    expect(statements.filter((sql) => sql === "COMMIT")).toHaveLength(1);
  });

  it("fail independently: the others succeed", async () => {
    const { balances } = sqliteStores(temporaryDatabase().connect());
    const most = 2n ** 63n - 1n;
    const results = await Promise.allSettled([
      balances.credit(creditOf("a", most)),
      balances.credit(creditOf("a", 1n)),
      balances.credit(creditOf("b", 7n)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await balances.balance("a")).toMatchObject({ posted: most });
    expect(await balances.balance("b")).toMatchObject({ posted: 7n });
    expect(await balances.verify()).toEqual([]);
  });

  it("all succeed even if there are more than a thousand", async () => {
    const { balances } = sqliteStores(temporaryDatabase().connect());
    const results = await Promise.all(Array.from({ length: 1_050 }, () => balances.credit(creditOf("a", 1n))));
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["posted"]));
    expect(await balances.balance("a")).toMatchObject({ posted: 1_050n });
  });
});
