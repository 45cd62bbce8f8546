import type { Limiter } from "@tollgate/core/store";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { Pool } from "pg";
import { createClient } from "redis";
import type { Environment } from "./environment.ts";

/** What all processes share: money, keys and terms in PostgreSQL, limits in Redis. */
export interface SharedRecords {
  readonly stores: PostgresStores;
  readonly limiter: Limiter;
  close(): Promise<void>;
}

/** Connects one process to both. The first to come makes the tables. */
export async function openRecords({
  databaseUrl,
  redisUrl,
  schema,
  redisPrefix,
  redisTimeoutMs,
  workers,
}: Environment): Promise<SharedRecords> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 8,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
    query_timeout: 3_000,
  });
  // A connection that breaks while it is idle would end the process.
  pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
  const redis = createClient({ url: redisUrl });
  redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
  // Not awaited: a process that starts while Redis is away counts by itself until it is back.
  redis.connect().catch((error: Error) => console.error(`Redis: ${error.message}`));
  const stores = await postgresStores(pool, { schema });
  return {
    stores,
    limiter: redisLimiter(redis, { prefix: redisPrefix, expectedProcesses: workers, timeoutMs: redisTimeoutMs }),
    async close() {
      await stores.close();
      await pool.end();
      redis.destroy();
    },
  };
}
