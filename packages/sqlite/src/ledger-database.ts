import { requireMethods } from "@tollgate/core/internal";
import type { SqliteDatabase } from "./database.ts";

/** The member of balances that is the database object on which their postings join a transaction. */
export const ledgerDatabase: unique symbol = Symbol.for("tollgate.sqlite-ledger-database");

/** Throws a TypeError unless postings in the balances can join a transaction that begins on the database. */
export function requireLedgerDatabase(
  factory: string,
  balances: { readonly inTransaction: object },
  database: SqliteDatabase,
): void {
  const advice = "Pass the `balances` of sqliteStores(database), for the same database.";
  requireMethods(`The option \`balances\` of ${factory}`, balances?.inTransaction, ["credit", "debit"], advice);
  const used: unknown = Reflect.get(balances, ledgerDatabase);
  if (used === undefined || used === database) return;
  throw new TypeError(
    `${factory} got balances on another connection, so that their postings would be another commit. ${advice}`,
  );
}
