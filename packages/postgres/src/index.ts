export { postgresAuditLog } from "./audit-log.ts";
export { type PostgresBalanceStoreOptions, postgresBalanceStore } from "./balance-store.ts";
export { postgresKeyStore } from "./key-store.ts";
export { postgresLimiter } from "./limiter.ts";
export { migratePostgres } from "./migrate.ts";
export type {
  PostgresConnection,
  PostgresListener,
  PostgresNotification,
  PostgresPool,
  PostgresResult,
  PostgresStatement,
} from "./pool.ts";
export { postgresResponseStore } from "./response-store.ts";
export { postgresSessionStore } from "./session-store.ts";
export { type PostgresStores, type PostgresStoresOptions, postgresStores } from "./stores.ts";
export { postgresTermsStore } from "./terms-store.ts";
export { type PostgresUsageStoreOptions, postgresUsageStore } from "./usage-store.ts";
