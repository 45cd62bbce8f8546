import { DatabaseSync } from "@photostructure/sqlite";
import { memoryAuditLog, memoryBalanceStore, memoryKeyStore, memoryResponseStore } from "@tollgate/core";
import type { AccountAdmin, AuditLog, BalanceStore, KeyAdmin, KeyStore, ResponseStore } from "@tollgate/core/store";
import { memoryPaymentStore, type PaymentStore } from "@tollgate/payments";
import { postgresStores } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { sqliteStores } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { Pool } from "pg";
import type { StoreAddress } from "./task.ts";

/** The stores of a gateway under test. */
export interface GatewayStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore & AccountAdmin;
  readonly responses: ResponseStore;
  readonly audit: AuditLog;
  readonly payments: PaymentStore;
}

/** Opens the stores at an address, and creates their tables. */
export async function openStores(address: StoreAddress): Promise<GatewayStores> {
  if (address.kind === "memory") {
    const [keys, balances, responses] = [memoryKeyStore(), memoryBalanceStore(), memoryResponseStore()];
    return { keys, balances, responses, audit: memoryAuditLog(), payments: memoryPaymentStore({ balances }) };
  }
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.file);
    const stores = sqliteStores(database);
    return { ...stores, payments: sqlitePaymentStore(database, { balances: stores.balances }) };
  }
  const pool = new Pool({
    connectionString: address.url,
    max: 8,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    query_timeout: 6_000,
  });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const { schema } = address;
  const stores = await postgresStores(pool, { schema });
  return { ...stores, payments: postgresPaymentStore(pool, { schema, balances: stores.balances }) };
}
