import { DatabaseSync } from "@photostructure/sqlite";
import type { AccountAdmin, BalanceStore, NoticeOutbox } from "@tollgate/core/store";
import { type PostgresStatement, type PostgresStores, postgresStores } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import { Pool } from "pg";
import type { StoreAddress } from "./open-store.ts";
import { type Rewrite, StatementMutator } from "./statement-mutations.ts";

/** All stores of one database and a function that closes its connection. */
export interface OpenStores extends Pick<PostgresStores, "keys" | "terms" | "sessions" | "responses"> {
  readonly balances: BalanceStore & AccountAdmin & NoticeOutbox;
  readonly mutator: StatementMutator;
  close(): Promise<void>;
}

/** Opens the stores of a migrated database, optionally with a mutation of their statements. */
export async function openStores(address: StoreAddress, rewrite: Rewrite = []): Promise<OpenStores> {
  const mutator = new StatementMutator(rewrite);
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.file);
    const stores = sqliteStores({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(mutator.apply(sql)),
    });
    return { ...stores, mutator, close: async () => database.close() };
  }
  const pool = new Pool({ connectionString: address.url, max: 4, connectionTimeoutMillis: 2_000 });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const mutatedPool = {
    query: (statement: PostgresStatement) => pool.query({ ...statement, text: mutator.apply(statement.text) }),
    connect: () => pool.connect(),
  };
  const stores = await postgresStores(mutatedPool, { schema: address.schema, migrate: false });
  return { ...stores, mutator, close: () => pool.end() };
}
