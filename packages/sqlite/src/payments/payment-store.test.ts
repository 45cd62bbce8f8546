import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { type PaymentStores, paymentStoreContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { type SqliteDatabase, sqliteBalanceStore } from "../index.ts";
import { sqlitePaymentStore } from "../payments.ts";

const test = { describe, it };

describe("on a file", () => {
  paymentStoreContract({
    test,
    create: () => {
      const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
      const databases = [0, 1].map(() => new DatabaseSync(join(folder, "test.db")));
      const [store, peer] = databases.map(openStores);
      if (store === undefined || peer === undefined) throw new Error("Two connections must be open.");
      const close = () => {
        for (const database of databases) database.close();
        rmSync(folder, { recursive: true });
      };
      return { store, peer, close };
    },
  });
});

describe("in memory", () => {
  paymentStoreContract({
    test,
    create: () => {
      const database = new DatabaseSync(":memory:");
      return { store: openStores(database), close: () => database.close() };
    },
  });
});

describe("sqlitePaymentStore", () => {
  const database = new DatabaseSync(":memory:");

  it("refuses balances on another connection", () => {
    const elsewhere = sqliteBalanceStore(new DatabaseSync(":memory:"));
    expect(() => sqlitePaymentStore(database, { balances: elsewhere })).toThrow(
      /balances on another connection.* Pass the `balances` of sqliteStores\(database\)/,
    );
  });

  it("refuses options that it does not know, and balances that cannot join a transaction", () => {
    const balances = sqliteBalanceStore(database);
    const options = { balances, schema: "tollgate" };
    expect(() => sqlitePaymentStore(database, options)).toThrow(/sqlitePaymentStore: `schema`/);
    expect(() => sqlitePaymentStore(database, Object.assign({ balances }, { balances: {} }))).toThrow(
      /`balances` of sqlitePaymentStore got a value without credit, debit/,
    );
  });
});

function openStores(database: SqliteDatabase): PaymentStores {
  const balances = sqliteBalanceStore(database);
  return { balances, payments: sqlitePaymentStore(database, { balances }) };
}
