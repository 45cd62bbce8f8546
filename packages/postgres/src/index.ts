export { postgresAuditLog } from "./audit-log.ts";
export { type PostgresBalanceStoreOptions, postgresBalanceStore } from "./balance-store.ts";
export { postgresKeyStore } from "./key-store.ts";
export type { PostgresListener, PostgresNotification } from "./listener.ts";
export { migratePostgres } from "./migrate.ts";
export type { PostgresConnection, PostgresPool, PostgresResult, PostgresStatement } from "./pool.ts";
export { postgresSessionStore } from "./session-store.ts";
export { type PostgresStores, type PostgresStoresOptions, postgresStores } from "./stores.ts";
export { postgresTermsStore } from "./terms-store.ts";
