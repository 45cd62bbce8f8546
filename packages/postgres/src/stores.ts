import type { KeyFormatOptions } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";
import type {
  AuditLog,
  KeyAdmin,
  KeyStore,
  Limiter,
  ResponseStore,
  SessionAdmin,
  SessionStore,
  TermsAdmin,
  TermsStore,
  UsageStore,
} from "@tollgate/core/store";
import { AuditLogInPostgres } from "./audit-log.ts";
import { BalancesInPostgres, type PostgresBalances } from "./balance-store.ts";
import { Database } from "./database.ts";
import { KeyNotifications } from "./key-notifications.ts";
import { KeysInPostgres } from "./key-store.ts";
import { LimiterInPostgres } from "./limiter.ts";
import { migratePostgres } from "./migrate.ts";
import type { PostgresListener, PostgresPool } from "./pool.ts";
import { ResponsesInPostgres } from "./response-store.ts";
import { keyChannel } from "./schema.ts";
import { SessionsInPostgres } from "./session-store.ts";
import type { SliceOptions } from "./slices/slice-options.ts";
import { sliceBalances } from "./slices/sliced-balances.ts";
import { TermsInPostgres } from "./terms-store.ts";
import { UsageInPostgres } from "./usage-store.ts";

/** The options of {@link postgresStores}. */
export interface PostgresStoresOptions extends KeyFormatOptions {
  /** The schema of the tables. The default is "tollgate". */
  readonly schema?: string;
  /** Whether to migrate the tables first. The default is true. */
  readonly migrate?: boolean;
  /** Returns a connected `Client` of `pg`, which receives notifications of key changes by other processes. */
  readonly listen?: () => Promise<PostgresListener>;
  /**
   * Called when the partition of a month of usage cannot be created, at most once an hour. The rows go to the default
   * partition. The default writes the message to `console.error`.
   */
  readonly onPartitionFailure?: (error: Error) => void;
  /**
   * Holds the requests of busy keys in slices of their accounts: one hold and one settlement of the database serve many requests.
   * A killed process leaves at most 15 s of their usage uncharged, and at most one slice for each key, model and API. The ledger has
   * one charge for each slice. Absent: each request has a hold and a charge of its own, which a kill does not lose.
   */
  readonly slices?: SliceOptions;
}

/** The stores in one database, to pass to `createGateway`. */
export interface PostgresStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: PostgresBalances;
  readonly terms: TermsStore & TermsAdmin;
  readonly sessions: SessionStore & SessionAdmin;
  /** Counts the limits of keys for all processes. */
  readonly limiter: Limiter;
  /** The responses of the Responses API, for the option `responses`. */
  readonly responses: ResponseStore;
  /** The changes that operators made. */
  readonly audit: AuditLog;
  readonly usage: UsageStore;
  /**
   * Stops listening for notifications, and settles the slices: call it after `close` of the gateway, and before the host ends the
   * pool. Rejects if the slices cannot be settled; a second call tries again.
   */
  close(): Promise<void>;
}

/**
 * Keys, balances, terms, sessions, limits, responses, usage and the audit log in one PostgreSQL database, on a `Pool` of
 * `pg` that the host creates and ends. A hold checks the key and the terms in its own statement, so a revoked key cannot spend.
 * Rejects when the migration fails and when the first call of `listen` fails.
 *
 * These balances refuse every key that is not in this database: with another KeyStore, use `postgresBalanceStore`
 * instead.
 *
 * Add an `error` listener to the pool: without one, the end of an idle connection ends the process. Set
 * `connectionTimeoutMillis`, `statement_timeout` and a slightly longer `query_timeout` to a few seconds each: a call
 * waits as long as the pool allows, and so do later calls on the same account. `verify` reads the whole ledger,
 * about 10 s for a million entries: run it on a separate pool without timeouts. Keep the default isolation level READ
 * COMMITTED: a stricter one is correct as well, but slow for busy accounts. Keep `synchronous_commit` on, and set
 * `synchronous_standby_names`: otherwise a failover to a standby that lags behind loses what it has not received.
 *
 * Any pooler works, including a transaction pooler (with PgBouncer, set `statement_timeout` on the role instead). Statements
 * have names, so that each connection plans them once. If a pooler refuses one, which PgBouncer does in transaction mode
 * without `max_prepared_statements`, no later statement of the pool has a name, and the server plans each of them.
 *
 * Without `listen`, a key change by another process takes effect when the gateway's cached key expires, within 30 s.
 * Set `keepAlive` on the client of `listen`, so that it detects a dead connection.
 */
export function postgresStores(pool: PostgresPool, options: PostgresStoresOptions = {}): Promise<PostgresStores> {
  const stores = openStores(pool, options);
  for (const name of Object.keys(members)) Object.defineProperty(stores, name, { get: refuse, enumerable: true });
  return stores;
}

/** The members that a host may read from the promise by mistake. */
const members: Readonly<Record<keyof PostgresStores, true>> = {
  keys: true,
  balances: true,
  terms: true,
  sessions: true,
  limiter: true,
  responses: true,
  audit: true,
  usage: true,
  close: true,
};

const refuse = (): never => {
  throw new TypeError(
    "`postgresStores` returns a promise. Await it first: `const stores = await postgresStores(pool)`.",
  );
};

async function openStores(pool: PostgresPool, options: PostgresStoresOptions): Promise<PostgresStores> {
  requireKnown("postgresStores", options, {
    schema: true,
    migrate: true,
    listen: true,
    onPartitionFailure: true,
    slices: true,
    prefix: true,
    pepper: true,
  });
  const database = new Database(pool, options.schema);
  const keys = new KeysInPostgres(database, options);
  const plain: PostgresBalances = new BalancesInPostgres(database, { checkKeys: true, checkTerms: true });
  const sliced = options.slices && sliceBalances(plain, options.slices);
  if (options.migrate !== false) await migratePostgres(pool, { schema: database.tables.schema });
  const notifications =
    options.listen && new KeyNotifications(options.listen, keyChannel(database.tables), keys.notify);
  await notifications?.start();
  return {
    keys,
    balances: sliced?.balances ?? plain,
    terms: new TermsInPostgres(database),
    sessions: new SessionsInPostgres(database),
    limiter: new LimiterInPostgres(database),
    responses: new ResponsesInPostgres(database),
    audit: new AuditLogInPostgres(database),
    usage: new UsageInPostgres(pool, database, options.onPartitionFailure),
    async close() {
      await notifications?.close();
      await sliced?.close();
    },
  };
}
