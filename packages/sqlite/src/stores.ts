import type { KeyFormatOptions } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";
import type {
  AuditLog,
  KeyAdmin,
  KeyStore,
  ResponseStore,
  SessionAdmin,
  SessionStore,
  TermsAdmin,
  TermsStore,
  UsageStore,
} from "@tollgate/core/store";

import { AuditLogInSqlite } from "./audit-log.ts";

import { BalancesInSqlite, type SqliteBalanceStore } from "./balance-store.ts";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { KeysInSqlite } from "./key-store.ts";
import { ResponsesInSqlite } from "./response-store.ts";
import { SessionsInSqlite } from "./session-store.ts";
import { TermsInSqlite } from "./terms-store.ts";
import { UsageInSqlite } from "./usage-store.ts";

/** The stores of one SQLite database, to pass to `createGateway`. */
export interface SqliteStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: SqliteBalanceStore;
  readonly terms: TermsStore & TermsAdmin;
  readonly sessions: SessionStore & SessionAdmin;
  /** The responses of the Responses API, for the option `responses`. */
  readonly responses: ResponseStore;
  /** The changes that operators made. */
  readonly audit: AuditLog;
  readonly usage: UsageStore;
}

/**
 * Keys, balances, terms, sessions, responses, usage and the audit log in one SQLite database. A hold checks the key and
 * the terms in its own transaction, so a revoked key cannot spend, whichever process revoked it. These balances refuse every key
 * that is not in this database: with another KeyStore, use `sqliteBalanceStore` instead.
 *
 * The host opens and closes the database. Use a separate connection for the gateway: the store sets it to WAL,
 * `synchronous = FULL`, `foreign_keys = ON` and `busy_timeout = 2` (longer waits are asynchronous), and creates tables
 * whose names begin with `tollgate_`. A call waits while the host has a transaction open on the connection, apart from
 * those of `balances.inTransaction`, which join it. The factory throws for SQLite before 3.51.3, and for a database that a
 * newer version has migrated.
 */
export function sqliteStores(database: SqliteDatabase, options: KeyFormatOptions = {}): SqliteStores {
  requireKnown("sqliteStores", options, { prefix: true, pepper: true });
  const connection = new Connection(database);
  return {
    keys: new KeysInSqlite(connection, options),
    balances: new BalancesInSqlite(connection, { checkKeys: true, checkTerms: true }),
    terms: new TermsInSqlite(connection),
    sessions: new SessionsInSqlite(connection),
    responses: new ResponsesInSqlite(connection),
    audit: new AuditLogInSqlite(connection),
    usage: new UsageInSqlite(connection),
  };
}
