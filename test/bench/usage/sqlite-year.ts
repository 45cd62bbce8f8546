import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { latencyBounds, totalKinds } from "@tollgate/core/store";
import { sqliteUsageStore } from "@tollgate/sqlite";
import { sums } from "../../../packages/sqlite/src/usage-columns.ts";
import { dimensionSql } from "../../../packages/sqlite/src/usage-conditions.ts";
import { keys, type OpenedUsage, shape } from "./opened-usage.ts";

/** Opens a store in a file of its own with rows of a year, or of fewer days, which the database generates itself. */
export function openSqliteYear(rows: number, days = 365): OpenedUsage {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const database = new DatabaseSync(join(folder, "usage.db"));
  const store = sqliteUsageStore(database);
  database.exec(`BEGIN; ${generateSql(rows, days)}; ${totalKinds.map(totalSql).join("; ")}; COMMIT; ANALYZE`);
  const close = () => {
    database.close();
    rmSync(folder, { recursive: true });
  };
  return { store, close };
}

function generateSql(rows: number, days: number): string {
  const now = Date.now();
  return `
WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${rows})
INSERT INTO tollgate_usage (id, at, request_id, account, key_id, plan, endpoint, dialect, model, provider, upstream_model,
  status, ending, failed, input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, estimated, cost,
  upstream_cost, duration_ms, duration_bucket, first_content_ms, first_content_bucket, attempts, tags, timeline)
SELECT lower(hex(randomblob(16))), ${now} - CAST(n * ${(days * 86_400_000) / rows} AS INTEGER), 'req_' || n,
       'account-' || ((n * 7919 % ${keys}) / 5), 'key-' || (n * 7919 % ${keys}), 'pro', 'chat.completions', 'chat',
       'model-' || (n % ${shape.models}), 'provider', 'upstream-' || (n % ${shape.models}), iif(n % 50 = 0, 502, 200), 'complete',
       n % 50 = 0, n % 4000, n % 1000, 0, 0, n % 900, 0, 0, 1000 + n % 100000, n % 50000, n % 9000, ${bucketSql("n % 9000")},
       n % 2000, ${bucketSql("n % 2000")}, 1, '["red"]', '[{"step":"admitted","at":1},{"step":"answered","at":900}]'
  FROM series`;
}

const bucketSql = (expression: string): string =>
  `CASE ${latencyBounds.map((bound, index) => `WHEN ${expression} <= ${bound} THEN ${index}`).join(" ")} ELSE ${latencyBounds.length} END`;

function totalSql({ dimension, grain }: (typeof totalKinds)[number]): string {
  const start = {
    hour: "at - at % 3600000",
    day: "at - at % 86400000",
    month: "unixepoch(at / 1000, 'unixepoch', 'start of month') * 1000",
  }[grain];
  const name = dimensionSql[dimension];
  return `
INSERT INTO tollgate_usage_total (kind, start, name, ${sums.map(({ column }) => column).join(", ")})
SELECT '${dimension} ${grain}', ${start}, ${name}, ${sums.map(({ ofRow }) => `sum(${ofRow})`).join(", ")}
  FROM tollgate_usage GROUP BY 2, 3`;
}
