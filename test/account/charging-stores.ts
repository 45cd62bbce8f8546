import { DatabaseSync } from "@photostructure/sqlite";
import { memoryBalanceStore, memoryKeyStore, memoryTermsStore } from "@tollgate/core";
import type { AccountAdmin, BalanceStore, KeyAdmin, KeyStore, TermsStore } from "@tollgate/core/store";
import { postgresStores } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import pg from "pg";

/** Stores of one kind, with a function that closes them and removes what they kept. */
export interface ChargingStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore & AccountAdmin;
  readonly terms: TermsStore;
  close(): Promise<void>;
}

/** Opens new stores of each kind. */
export const charging = {
  memory: async (): Promise<ChargingStores> => ({
    keys: memoryKeyStore(),
    balances: memoryBalanceStore(),
    terms: memoryTermsStore(),
    close: async () => undefined,
  }),
  SQLite: async (): Promise<ChargingStores> => {
    const database = new DatabaseSync(":memory:");
    return { ...sqliteStores(database), close: async () => database.close() };
  },
  PostgreSQL: openPostgres,
} as const;

async function openPostgres(connectionString: string | undefined): Promise<ChargingStores> {
  const schema = `charging_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new pg.Pool({ connectionString, max: 4 }).on("error", () => undefined);
  const stores = await postgresStores(pool, { schema });
  return {
    ...stores,
    async close() {
      await stores.close();
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}
