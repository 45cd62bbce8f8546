import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import type { Environment } from "./environment.ts";

/** The stores that all processes share: balances, keys, terms and limits in PostgreSQL. */
export interface SharedRecords {
  readonly stores: PostgresStores;
  close(): Promise<void>;
}

/** Connects a process to PostgreSQL. The first process creates the tables. */
export async function openRecords({ databaseUrl, schema }: Environment): Promise<SharedRecords> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 8,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
    query_timeout: 3_000,
  });
  // Without this listener, the process would exit when an idle connection breaks.
  pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
  const stores = await postgresStores(pool, { schema });
  return {
    stores,
    async close() {
      await stores.close();
      await pool.end();
    },
  };
}
