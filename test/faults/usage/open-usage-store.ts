import { DatabaseSync } from "@photostructure/sqlite";
import type { UsageStore } from "@tollgate/core/store";
import { postgresUsageStore } from "@tollgate/postgres";
import { sqliteUsageStore } from "@tollgate/sqlite";
import { Pool } from "pg";
import type { StoreAddress } from "../processes/open-store.ts";

/** Opens a migrated usage store. Its connections end with the process. */
export function openUsageStore(address: StoreAddress): UsageStore {
  if (address.kind === "sqlite") return sqliteUsageStore(new DatabaseSync(address.file));
  const pool = new Pool({
    connectionString: address.url,
    max: 4,
    connectionTimeoutMillis: 2_000,
    allowExitOnIdle: true,
  });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  return postgresUsageStore(pool, { schema: address.schema });
}
