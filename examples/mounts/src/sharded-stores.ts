import { shardedStores } from "@tollgate/postgres";
import { Pool } from "pg";

function poolOf(variable: string): Pool {
  const pool = new Pool({
    connectionString: process.env[variable],
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
    query_timeout: 3_000,
  });
  // Without this listener, the process would exit when an idle connection breaks.
  pool.on("error", (error) => console.error(`${variable}: ${error.message}`));
  return pool;
}

export const stores = await shardedStores({
  directory: poolOf("DIRECTORY_URL"),
  shards: { a: poolOf("SHARD_A_URL"), b: poolOf("SHARD_B_URL") },
  prefix: "acme",
});
export const { keys, balances, terms, sessions, limiter } = stores;
