import type { TotalKind } from "@tollgate/core/store";
import { migratePostgres, postgresUsageStore } from "@tollgate/postgres";
import pg from "pg";
import { kindName } from "../../../packages/core/src/events/usage-pieces.ts";
import { tablesIn } from "../../../packages/postgres/src/schema.ts";
import { addAccountTotals, addTotals } from "../../../packages/postgres/src/statements/usage.ts";
import { usageAccountTables } from "../../../packages/postgres/src/usage-account-tables.ts";
import { usageAttemptTables } from "../../../packages/postgres/src/usage-attempt-tables.ts";
import { sums } from "../../../packages/postgres/src/usage-columns.ts";
import { usageTables } from "../../../packages/postgres/src/usage-tables.ts";
import { type Distribution, keySql, type OpenedUsage, shape } from "./opened-usage.ts";

const databaseUrl = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** A store with a year of rows, and where they are. */
export interface PostgresYear extends OpenedUsage {
  readonly pool: pg.Pool;
  readonly schema: string;
}

/**
 * Opens a store in a schema of its own with a year of rows, which the database generates itself. Their partitions are
 * unlogged and indexed afterwards, which saves time and does not change how they are read. New rows go to logged ones.
 */
export async function openPostgresYear(rows: number, distribution: Distribution = "even"): Promise<PostgresYear> {
  const schema = `bench_usage_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 }).on("error", () => undefined);
  await migratePostgres(pool, { schema });
  const store = postgresUsageStore(pool, { schema });
  try {
    await generate(pool, schema, generateSql(tablesIn(schema).usageRow, rows, keySql[distribution]));
  } catch (error) {
    await close();
    throw error;
  }
  return { store, pool, schema, close };

  async function close(): Promise<void> {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  }
}

async function generate(pool: pg.Pool, schema: string, generateRows: string): Promise<void> {
  const tables = tablesIn(schema);
  // Of an index that a migration replaces, the last definition.
  const indexes = new Map(
    [usageTables, usageAttemptTables, usageAccountTables]
      .flatMap((migration) => migration(tables))
      .filter((sql) => sql.startsWith("CREATE INDEX usage_row"))
      .map((sql) => [sql.split(" ")[2], sql]),
  );
  await pool.query(`ALTER TABLE ${tables.usageRow} DROP CONSTRAINT usage_row_pkey`);
  for (const name of indexes.keys()) await pool.query(`DROP INDEX "${schema}".${name}`);
  for (let ago = 12; ago >= 0; ago--) await createMonth(pool, schema, ago);
  await pool.query(generateRows);
  await pool.query(`ALTER TABLE ${tables.usageRow} ADD PRIMARY KEY (id, at)`);
  for (const sql of indexes.values()) await pool.query(sql);
  for (const [dimension, grain] of [
    ["model", "hour"],
    ["target", "hour"],
    ["account", "hour"],
    ["key", "hour"],
  ] as const) {
    await pool.query(addTotals(tables.usageTotal, tables.usageRow, [{ dimension, grain }]));
  }
  for (const dimension of ["model", "target", "account", "key"] as const) {
    await pool.query(sumTotals(tables.usageTotal, { dimension, grain: "hour" }, "day"));
    await pool.query(sumTotals(tables.usageTotal, { dimension, grain: "day" }, "month"));
  }
  await pool.query(addAccountTotals(tables.usageAccountTotal, tables.usageRow));
  await pool.query(`VACUUM ANALYZE ${tables.usageRow}`);
  await pool.query(`VACUUM ANALYZE ${tables.usageTotal}`);
  await pool.query(`VACUUM ANALYZE ${tables.usageAccountTotal}`);
}

/** Rows of this month and later ones go to logged partitions: the days of this month are part of the year. */
async function createMonth(pool: pg.Pool, schema: string, ago: number): Promise<void> {
  const now = new Date();
  const [from, to] = [-ago, 1 - ago].map((months) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString(),
  );
  const name = `usage_row_${from?.slice(0, 7).replace("-", "_")}`;
  await pool.query(
    `CREATE ${ago === 0 ? "" : "UNLOGGED"} TABLE "${schema}".${name} PARTITION OF "${schema}".usage_row
     FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
}

function generateSql(usageRow: string, rows: number, keyOf: string): string {
  return `
INSERT INTO ${usageRow} (id, at, request_id, account_id, key_id, plan, endpoint, dialect, model, provider, upstream_model,
  status, ending, failed, input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, estimated, cost,
  upstream_cost, duration_ms, duration_bucket, first_content_ms, first_content_bucket, attempts, tags, timeline, end_user, answer_id)
SELECT gen_random_uuid()::text, date_trunc('milliseconds', now() - (n::float8 / ${rows}) * interval '365 days'), 'req_' || n,
       'account-' || (${keyOf} / 5), 'key-' || ${keyOf}, 'pro', 'chat.completions', 'chat',
       'model-' || (n % ${shape.models}), 'provider', 'upstream-' || (n % ${shape.models}),
       CASE WHEN n % 50 = 0 THEN 502 ELSE 200 END, 'complete', n % 50 = 0, n % 4000, n % 1000, 0, 0, n % 900, 0, false,
       1000 + n % 100000, n % 50000, n % 9000, width_bucket(n % 9000 - 1, ARRAY[${shape.bounds}]),
       n % 2000, width_bucket(n % 2000 - 1, ARRAY[${shape.bounds}]), 1, ARRAY['red'],
       '[{"step":"admitted","at":1},{"step":"held","at":2},{"step":"answered","at":900}]', 'user-' || n % 700,
       'chatcmpl-' || n
  FROM generate_series(1, ${rows}::bigint) AS n`;
}

function sumTotals(usageTotal: string, shorter: TotalKind, grain: TotalKind["grain"]): string {
  return `
INSERT INTO ${usageTotal} (kind, start, name, ${sums.map(({ column }) => column).join(", ")})
SELECT '${kindName({ ...shorter, grain })}', date_trunc('${grain}', total.start, 'UTC'), name,
       ${sums.map(({ ofTotals }) => ofTotals).join(", ")}
  FROM ${usageTotal} AS total WHERE kind = '${kindName(shorter)}' GROUP BY 1, 2, 3`;
}
