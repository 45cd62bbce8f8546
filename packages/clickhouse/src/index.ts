export type { ClickHouseClient, ClickHouseResult, ClickHouseSettings } from "./client.ts";
export { clickhouseContentStore } from "./content-store.ts";
export { type MigrateClickHouseOptions, migrateClickHouse } from "./migrate.ts";
export { type ClickHouseStoreOptions, clickhouseUsageStore } from "./usage-store.ts";
