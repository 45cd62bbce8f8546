export { sqliteAuditLog } from "./audit-log.ts";
export { sqliteBalanceStore } from "./balance-store.ts";
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./database.ts";
export type { HoldCheckOptions } from "./hold-check.ts";
export { sqliteKeyStore } from "./key-store.ts";
export { privateFile } from "./private-file.ts";
export { sqliteSessionStore } from "./session-store.ts";
export { type SqliteStores, sqliteStores } from "./stores.ts";
export { sqliteTermsStore } from "./terms-store.ts";
