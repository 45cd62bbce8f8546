import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { accountTotalKinds, latencyBounds, totalKinds } from "@tollgate/core/store";
import { sqliteUsageStore } from "@tollgate/sqlite";
import { sums } from "../../../packages/sqlite/src/usage-columns.ts";
import { dimensionSql, tagsOfRow } from "../../../packages/sqlite/src/usage-conditions.ts";
import { type Distribution, keySql, type OpenedUsage, shape } from "./opened-usage.ts";

/** A store with a year of rows, and the database that has them. */
export interface SqliteYear extends OpenedUsage {
  readonly database: InstanceType<typeof DatabaseSync>;
  close(): void;
}

/** Opens a store in a file of its own with rows of a year, or of fewer days, which the database generates itself. */
export function openSqliteYear(
  rows: number,
  { days = 365, distribution = "even" }: { readonly days?: number; readonly distribution?: Distribution } = {},
): SqliteYear {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const database = new DatabaseSync(join(folder, "usage.db"));
  const store = sqliteUsageStore(database);
  const totals = [
    ...totalKinds.map((kind) => totalSql(kind)),
    ...accountTotalKinds.map((kind) => totalSql(kind, "account")),
  ];
  database.exec(`BEGIN; ${generateSql(rows, days, keySql[distribution])}; ${totals.join("; ")}; COMMIT; ANALYZE`);
  const close = () => {
    database.close();
    rmSync(folder, { recursive: true });
  };
  return { store, database, close };
}

function generateSql(rows: number, days: number, keyOf: string): string {
  const now = Date.now();
  return `
WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${rows})
INSERT INTO tollgate_usage (id, at, request_id, account, key_id, plan, endpoint, dialect, model, provider, upstream_model,
  status, ending, failed, input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, estimated, cost,
  upstream_cost, duration_ms, duration_bucket, first_content_ms, first_content_bucket, attempts, tags, timeline, end_user, answer_id)
SELECT lower(hex(randomblob(16))), ${now} - CAST(n * ${(days * 86_400_000) / rows} AS INTEGER), 'req_' || n,
       'account-' || (${keyOf} / 5), 'key-' || ${keyOf}, 'pro', 'chat.completions', 'chat',
       'model-' || (n % ${shape.models}), 'provider', 'upstream-' || (n % ${shape.models}), iif(n % 50 = 0, 502, 200), 'complete',
       n % 50 = 0, n % 4000, n % 1000, 0, 0, n % 900, 0, 0, 1000 + n % 100000, n % 50000, n % 9000, ${bucketSql("n % 9000")},
       n % 2000, ${bucketSql("n % 2000")}, 1, '["red"]', '[{"step":"admitted","at":1},{"step":"answered","at":900}]', 'user-' || n % 700,
       'chatcmpl-' || n
  FROM series`;
}

const bucketSql = (expression: string): string =>
  `CASE ${latencyBounds.map((bound, index) => `WHEN ${expression} <= ${bound} THEN ${index}`).join(" ")} ELSE ${latencyBounds.length} END`;

/** The statement that fills the totals of a kind: of everything, or by the column of the account. */
function totalSql({ dimension, grain }: (typeof totalKinds)[number], account?: "account"): string {
  const start = {
    hour: "at - at % 3600000",
    day: "at - at % 86400000",
    month: "unixepoch(at / 1000, 'unixepoch', 'start of month') * 1000",
  }[grain];
  const name = dimensionSql[dimension];
  const [table, first] = account === undefined ? ["total", ""] : ["account_total", `${account}, `];
  return `
INSERT INTO tollgate_usage_${table} (${first}kind, start, name, ${sums.map(({ column }) => column).join(", ")})
SELECT ${first}'${dimension} ${grain}', ${start}, ${name}, ${sums.map(({ ofRow }) => `sum(${ofRow})`).join(", ")}
  FROM tollgate_usage ${dimension === "tag" ? `JOIN ${tagsOfRow.table}` : ""} GROUP BY ${first}${start}, ${name}`;
}
