export { postgresAuditLog } from "./audit-log.ts";
export { type PostgresBalanceStoreOptions, type PostgresBalances, postgresBalanceStore } from "./balance-store.ts";
export { postgresEntryFeed } from "./entry-feed.ts";
export { postgresKeyStore } from "./key-store.ts";
export { postgresLimiter } from "./limiter.ts";
export { migratePostgres } from "./migrate.ts";
export type {
  PostgresClient,
  PostgresConnection,
  PostgresListener,
  PostgresNotification,
  PostgresPool,
  PostgresResult,
  PostgresStatement,
} from "./pool.ts";
export { postgresResponseStore } from "./response-store.ts";
export { postgresSessionStore } from "./session-store.ts";
export type { ShardOverview } from "./shards/directory.ts";
export type { MovedAccount } from "./shards/move/account-moves.ts";
export type { ShardAdmin } from "./shards/shard-admin.ts";
export { type ShardedStores, type ShardedStoresOptions, shardedStores } from "./shards/sharded-stores.ts";
export type { SliceOptions } from "./slices/slice-options.ts";
export { type PostgresStores, type PostgresStoresOptions, postgresStores } from "./stores.ts";
export { postgresTermsStore } from "./terms-store.ts";
export { type PostgresUsageStoreOptions, postgresUsageStore } from "./usage-store.ts";
