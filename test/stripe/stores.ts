import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { memoryBalanceStore } from "@tollgate/core";
import type { AccountAdmin, BalanceStore } from "@tollgate/core/store";
import { memoryPaymentStore, type PaymentStore } from "@tollgate/payments";
import { postgresBalanceStore } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { inject } from "vitest";
import { createDatabase } from "../support/create-database.ts";

/** The stores of payments and of the ledger, on one database. */
export interface StoresUnderTest {
  readonly balances: BalanceStore & AccountAdmin;
  readonly store: PaymentStore;
  close(): void | Promise<void>;
}

/** Every kind of store, of which each test opens its own. */
export const storeKinds: Readonly<Record<string, () => StoresUnderTest | Promise<StoresUnderTest>>> = {
  memory() {
    const balances = memoryBalanceStore();
    return { balances, store: memoryPaymentStore({ balances }), close: () => undefined };
  },
  sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-stripe-"));
    const database = new DatabaseSync(join(folder, "acme.db"));
    const balances = sqliteBalanceStore(database);
    const close = () => {
      database.close();
      rmSync(folder, { recursive: true });
    };
    return { balances, store: sqlitePaymentStore(database, { balances }), close };
  },
  async postgres() {
    const database = await createDatabase(inject("postgres"));
    const balances = postgresBalanceStore(database.pool);
    const store = postgresPaymentStore(database.pool, { balances });
    return { balances, store, close: () => database.drop() };
  },
};
