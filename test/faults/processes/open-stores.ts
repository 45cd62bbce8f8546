import { DatabaseSync } from "@photostructure/sqlite";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import { Pool } from "pg";
import { Planter, type Rewrite } from "./flaws.ts";
import type { StoreAddress } from "./open-store.ts";

/** All stores of one database, on a connection that its host opened for them. */
export interface OpenStores extends Pick<PostgresStores, "keys" | "balances" | "terms" | "sessions"> {
  readonly planter: Planter;
  close(): Promise<void>;
}

/** Opens the stores of a database whose tables are there, with a mistake in their statements if one is given. */
export async function openStores(address: StoreAddress, rewrite: Rewrite = []): Promise<OpenStores> {
  const planter = new Planter(rewrite);
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.file);
    const stores = sqliteStores({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(planter.plant(sql)),
    });
    return { ...stores, planter, close: async () => database.close() };
  }
  const pool = new Pool({ connectionString: address.url, max: 4, connectionTimeoutMillis: 2_000 });
  // Without a listener the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const planted = {
    query: ({ text, values }: { readonly text: string; readonly values?: unknown[] }) =>
      pool.query(planter.plant(text), values),
    connect: () => pool.connect(),
  };
  const stores = await postgresStores(planted, { schema: address.schema, migrate: false });
  return { ...stores, planter, close: () => pool.end() };
}
