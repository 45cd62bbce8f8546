import { postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import { readVariable } from "./environment.ts";

const pool = new Pool({
  connectionString: readVariable("DATABASE_URL"),
  connectionTimeoutMillis: 2_000,
  statement_timeout: 2_000,
  query_timeout: 3_000,
});
// Without this listener, the process would exit when an idle connection breaks.
pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));

export const { keys, balances, usage, audit } = await postgresStores(pool);
