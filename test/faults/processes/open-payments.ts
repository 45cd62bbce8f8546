import { DatabaseSync } from "@photostructure/sqlite";
import type { AccountAdmin, BalanceStore } from "@tollgate/core/store";
import type { PaymentStore } from "@tollgate/payments";
import { type PostgresStatement, postgresBalanceStore } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { type SqliteDatabase, type SqliteValue, sqliteBalanceStore } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { Pool } from "pg";
import type { StoreAddress } from "./open-store.ts";

/** The payments and the balances of one database, and a function that closes their connection. */
export interface OpenPayments {
  readonly payments: PaymentStore;
  readonly balances: BalanceStore & AccountAdmin;
  close(): Promise<void>;
}

/** Opens the payments of a migrated database, with a function that is called before each statement. */
export function openPayments(address: StoreAddress, before: () => void = () => undefined): OpenPayments {
  if (address.kind === "sqlite") {
    const opened = new DatabaseSync(address.file);
    const database = beforeEach(opened, before);
    const balances = sqliteBalanceStore(database);
    return { balances, payments: sqlitePaymentStore(database, { balances }), close: async () => opened.close() };
  }
  const { url, schema } = address;
  // Only processes are killed, and the server goes on, so that a commit need not wait for the disk.
  const options = "-c synchronous_commit=off";
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 2_000, options });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const run = (client: Pick<Pool, "query">) => (statement: PostgresStatement) => {
    before();
    return client.query(statement);
  };
  const watched = {
    query: run(pool),
    connect: () => pool.connect().then((client) => Object.assign(Object.create(client), { query: run(client) })),
  };
  const balances = postgresBalanceStore(watched, { schema });
  return { balances, payments: postgresPaymentStore(watched, { schema, balances }), close: () => pool.end() };
}

function beforeEach(database: InstanceType<typeof DatabaseSync>, before: () => void): SqliteDatabase {
  return {
    exec(sql) {
      before();
      database.exec(sql);
    },
    prepare(sql) {
      const statement = database.prepare(sql);
      const after = <Result>(run: (...values: SqliteValue[]) => Result) => {
        return (...values: SqliteValue[]) => {
          before();
          return run.apply(statement, values);
        };
      };
      return {
        run: after(statement.run),
        get: after(statement.get),
        all: after(statement.all),
        setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
      };
    },
    get isTransaction() {
      return database.isTransaction;
    },
  };
}
