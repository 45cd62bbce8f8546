import { existsSync, readFileSync } from "node:fs";
import { postgresBalanceStore } from "@tollgate/postgres";
import type { Pool } from "pg";
import { tablesIn } from "../../../packages/postgres/src/schema.ts";
import { openPostgresYear } from "../usage/postgres-year.ts";
import { type AccountYear, account, idsOfMiddle } from "./account-year.ts";

/** Opens the stores in a schema of its own with a year of requests, and a charge for each request of the account. */
export async function openPostgresAccount(rows: number): Promise<AccountYear> {
  const { pool, schema, store: usage, close } = await openPostgresYear(rows, "skewed");
  const { account: accounts, entry, usageRow, keyUsage } = tablesIn(schema);
  const ofAccount = `account_id = '${account}'`;
  await pool.query(`
    INSERT INTO ${entry} (account_id, kind, amount, reference, reason, uncounted) VALUES ('${account}', 'credit', 1000000000, 'top-up', 'top-up', NULL);
    INSERT INTO ${entry} (account_id, kind, amount, reference, at, request_id, model, dialect, key_id, provider, upstream_model,
      basis, status, answer_id, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens,
      reasoning_tokens, input_price, cached_input_price, cache_write_5m_price, cache_write_1h_price, output_price, request_price,
      duration_ms, uncounted)
    SELECT account_id, 'charge', -cost, id, at, request_id, model, dialect, key_id, provider, upstream_model, 'reported', 'complete',
           replace(answer_id, 'chatcmpl', 'charged'), input, 0, 0, 0, output, 0, 1, 1, 1, 1, 1, 1, duration_ms, NULL
      FROM ${usageRow} WHERE ${ofAccount} ORDER BY at;
    INSERT INTO ${accounts} (id, posted, credited, funded)
    SELECT '${account}', sum(amount), 1000000000, 1000000000 FROM ${entry} WHERE ${ofAccount};
    INSERT INTO ${keyUsage} (key_id, account_id, used)
    SELECT key_id, account_id, -sum(amount) FROM ${entry} WHERE key_id IS NOT NULL GROUP BY 1, 2`);
  await pool.query(`VACUUM ANALYZE ${entry}`);
  const { rows: counted } = await pool.query(`SELECT count(*)::int AS requests FROM ${usageRow} WHERE ${ofAccount}`);
  const balances = postgresBalanceStore(pool, { schema });
  return {
    usage,
    balances,
    requests: Number(counted[0].requests),
    ...idsOfMiddle(rows),
    databaseCpu: await cpuOf(pool),
    close,
  };
}

/** Returns a function that reads the CPU time of the server's processes for a pool, if the server is on this machine. */
async function cpuOf(pool: Pool): Promise<() => number> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const pids = await Promise.all(
    clients.map(async (client) => Number((await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid)),
  );
  for (const client of clients) client.release();
  const files = pids.map((pid) => `/proc/${pid}/schedstat`).filter((file) => existsSync(file));
  return () => files.reduce((sum, file) => sum + Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6, 0);
}
