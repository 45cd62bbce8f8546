import { DatabaseSync } from "@photostructure/sqlite";
import { memoryBalanceStore, memoryKeyStore, memoryTermsStore } from "@tollgate/core";
import type { BalanceStore, KeyAdmin, KeyStore, TermsStore } from "@tollgate/core/store";
import { postgresStores } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import pg from "pg";
import { type DurableRouter, databaseUrl } from "../durable/places.ts";

/** The stores of a gateway that is measured. */
export interface BenchStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
  readonly terms: TermsStore;
}

/** Stores in memory. */
export const memoryStores = (): BenchStores => ({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  terms: memoryTermsStore(),
});

/** Opens the stores of a router at the address of its place. */
export async function openDurableStores(name: DurableRouter, address: string): Promise<BenchStores> {
  if (name === "router on sqlite") return sqliteStores(new DatabaseSync(address));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 }).on("error", () => undefined);
  // A slice pays for all requests that run at once, and the accounts have enough for as many as there are.
  const slices = { amount: "100.00", above: "0" };
  return postgresStores(pool, { schema: address, ...(name === "router in slices" ? { slices } : {}) });
}
