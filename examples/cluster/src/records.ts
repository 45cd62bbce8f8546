import type { Limiter } from "@tollgate/core/store";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { Pool } from "pg";
import { createClient } from "redis";
import type { Environment } from "./environment.ts";

/** The stores that all processes share: balances, keys and terms in PostgreSQL, limits in Redis. */
export interface SharedRecords {
  readonly stores: PostgresStores;
  readonly limiter: Limiter;
  close(): Promise<void>;
}

/** Connects a process to PostgreSQL and Redis. The first process creates the tables. */
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
  // Without this listener, the process would exit when an idle connection breaks.
  pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
  const redis = createClient({ url: redisUrl });
  redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
  // Not awaited: if Redis is unavailable, the process counts locally until it connects.
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
