import type { KeyFormatOptions } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";
import type { BalanceStore, KeyAdmin, KeyStore, SessionStore, TermsStore } from "@tollgate/core/store";
import { BalancesInPostgres } from "./balance-store.ts";
import { Database } from "./database.ts";
import { KeyNotifications } from "./key-notifications.ts";
import { KeysInPostgres } from "./key-store.ts";
import type { PostgresListener } from "./listener.ts";
import { migratePostgres } from "./migrate.ts";
import type { PostgresPool } from "./pool.ts";
import { keyChannel } from "./schema.ts";
import { SessionsInPostgres } from "./session-store.ts";
import { TermsInPostgres } from "./terms-store.ts";

/** What {@link postgresStores} may be told besides the form of the keys. */
export interface PostgresStoresOptions extends KeyFormatOptions {
  /** Where the tables are; "tollgate" when absent. */
  readonly schema?: string;
  /** Whether the tables are brought up to date first; true when absent. */
  readonly migrate?: boolean;
  /** Opens and connects a `Client` of `pg` on which changes of keys by other processes are heard at once. */
  readonly listen?: () => Promise<PostgresListener>;
}

/** The four stores in one database. */
export interface PostgresStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
  readonly terms: TermsStore;
  readonly sessions: SessionStore;
  /** Stops listening to other processes. The pool stays open: it is the host's. */
  close(): Promise<void>;
}

/**
 * Keys, balances, terms and sessions in one PostgreSQL database, on a `Pool` of `pg` that the host makes, sizes and ends. A hold
 * checks its key and terms in its own step, so that a revoked key spends nothing more. It rejects when the tables
 * cannot be brought up to date, and when `listen` fails the first time.
 *
 * A host with a KeyStore of its own takes `postgresBalanceStore` in place of these balances, which refuse every key
 * that is not in this database.
 *
 * Give the pool an `error` listener: without one, the end of an idle connection ends the process. Give it
 * `connectionTimeoutMillis`, `statement_timeout` and a somewhat longer `query_timeout`, of a few seconds each: a call
 * waits for as long as the pool lets it, and so do those that come for the same account meanwhile. Any pooler between
 * will do, also one that pools transactions (PgBouncer wants `statement_timeout` set on the role instead). `verify`
 * reads the whole ledger, some 10 s for a million entries: give it a pool of its own, without those times. Leave the
 * isolation of transactions at PostgreSQL's READ COMMITTED: under a stricter one the stores are as right, but busy
 * accounts are slow. Keep `synchronous_commit` on; what a standby that lags behind has not seen, a failover to it loses.
 *
 * Without `listen`, other processes learn of a changed key when the gateway's cache lets go of it, within 30 s. Its
 * client should have `keepAlive`, so that a dead connection is noticed.
 */
export async function postgresStores(pool: PostgresPool, options: PostgresStoresOptions = {}): Promise<PostgresStores> {
  requireKnown("postgresStores", options, { schema: true, migrate: true, listen: true, prefix: true, pepper: true });
  const database = new Database(pool, options.schema);
  const keys = new KeysInPostgres(database, options);
  if (options.migrate !== false) await migratePostgres(pool, { schema: database.tables.schema });
  const notifications = options.listen && new KeyNotifications(options.listen, keyChannel(database.tables), keys.tell);
  await notifications?.start();
  return {
    keys,
    balances: new BalancesInPostgres(database, { checkKeys: true, checkTerms: true }),
    terms: new TermsInPostgres(database),
    sessions: new SessionsInPostgres(database),
    close: async () => notifications?.close(),
  };
}
