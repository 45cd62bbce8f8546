import { DatabaseSync } from "@photostructure/sqlite";
import type { BalanceStore } from "@tollgate/core/store";
import { postgresBalanceStore } from "@tollgate/postgres";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { Pool } from "pg";
import { type LedgerFlaw, Planter, rewrites } from "./flaws.ts";

/** Where a balance store is that several processes can open. */
export type StoreAddress =
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string }
  | { readonly kind: "sqlite"; readonly file: string };

/** A balance store on a connection that its host opened for it. */
export interface OpenStore {
  readonly store: BalanceStore;
  close(): Promise<void>;
}

/** Opens a store whose tables are there, with a mistake in its statements if one is named. */
export function openStore(address: StoreAddress, flaw?: LedgerFlaw): OpenStore {
  const planter = new Planter(flaw === undefined ? [] : rewrites[address.kind][flaw]);
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.file);
    const store = sqliteBalanceStore({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(planter.plant(sql)),
    });
    return { store, close: async () => database.close() };
  }
  const pool = new Pool({ connectionString: address.url, max: 4, connectionTimeoutMillis: 2_000 });
  // Without a listener the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const planted = {
    query: ({ text, values }: { readonly text: string; readonly values?: unknown[] }) =>
      pool.query(planter.plant(text), values),
    connect: () => pool.connect(),
  };
  return { store: postgresBalanceStore(planted, { schema: address.schema }), close: () => pool.end() };
}
