import { DatabaseSync } from "@photostructure/sqlite";
import type { BalanceStore } from "@tollgate/core/store";
import { type PostgresStatement, postgresBalanceStore } from "@tollgate/postgres";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { Pool } from "pg";
import { type LedgerMutation, rewrites, StatementMutator } from "./statement-mutations.ts";

/** The address of a balance store that several processes can open. After `queryTimeoutMs`, a call is rejected. */
export type StoreAddress =
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string; readonly queryTimeoutMs?: number }
  | { readonly kind: "sqlite"; readonly file: string };

/** A balance store and a function that closes its connection. */
export interface OpenStore {
  readonly store: BalanceStore;
  close(): Promise<void>;
}

/** Opens a migrated store, optionally with a mutation of its statements. */
export function openStore(address: StoreAddress, mutation?: LedgerMutation): OpenStore {
  const mutator = new StatementMutator(mutation === undefined ? [] : rewrites[address.kind][mutation]);
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.file);
    const store = sqliteBalanceStore({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(mutator.apply(sql)),
    });
    return { store, close: async () => database.close() };
  }
  const pool = new Pool({
    connectionString: address.url,
    max: 4,
    connectionTimeoutMillis: 2_000,
    query_timeout: address.queryTimeoutMs,
  });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const mutatedPool = {
    query: (statement: PostgresStatement) => pool.query({ ...statement, text: mutator.apply(statement.text) }),
    connect: () => pool.connect(),
  };
  return { store: postgresBalanceStore(mutatedPool, { schema: address.schema }), close: () => pool.end() };
}
