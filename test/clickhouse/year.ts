import type { createClient } from "@clickhouse/client";
import { accountTotalKinds, latencyBounds, totalKinds } from "@tollgate/core/store";
import { storedKind } from "../../packages/clickhouse/src/usage-block.ts";
import { sums } from "../../packages/clickhouse/src/usage-columns.ts";
import { dimensionSql } from "../../packages/clickhouse/src/usage-conditions.ts";
import { keySql, shape } from "../bench/usage/opened-usage.ts";

const starts = {
  hour: "toStartOfHour(start)",
  day: "toStartOfDay(start)",
  month: "toDateTime64(toStartOfMonth(start), 3, 'UTC')",
};

/** Fills the table of usage with rows of the last year and their totals, which the engine generates itself. */
export async function generateYear(
  client: ReturnType<typeof createClient>,
  usage: string,
  rows: number,
): Promise<void> {
  const run = (query: string) =>
    client.command({ query, clickhouse_settings: { max_partitions_per_insert_block: "0", max_insert_threads: "2" } });
  await run(generateSql(usage, rows));
  const columns = `kind, scope, start, name, ${sums.join(", ")}`;
  const summed = sums.map((column) => `sum(${column})`).join(", ");
  for (const { dimension, grain } of totalKinds.toReversed()) {
    const longer = { hour: undefined, day: "hour", month: "day" } as const;
    const shorter = longer[grain];
    const from = shorter === undefined ? "row" : storedKind({ dimension, grain: shorter }, undefined);
    const name = shorter === undefined ? dimensionSql[dimension] : "name";
    await run(`INSERT INTO ${usage} (${columns})
      SELECT '${storedKind({ dimension, grain }, undefined)}', '', ${starts[grain]} AS bucket, ${name} AS label, ${summed}
        FROM ${usage} WHERE kind = '${from}' AND scope = '' GROUP BY bucket, label`);
  }
  for (const kind of accountTotalKinds.filter(({ dimension }) => dimension !== "tag"))
    await run(`INSERT INTO ${usage} (${columns})
      SELECT '${storedKind(kind, "account")}', account_id, ${starts[kind.grain]} AS bucket, ${dimensionSql[kind.dimension]} AS label, ${summed}
        FROM ${usage} WHERE kind = 'row' AND scope = '' GROUP BY account_id, bucket, label`);
}

function generateSql(usage: string, rows: number): string {
  const bounds = `[${latencyBounds.join(", ")}]`;
  const isIn = (expression: string, index: number) =>
    `toInt64(arrayFirstIndex(bound -> ${expression} <= bound, ${bounds}) = ${index === latencyBounds.length ? 0 : index + 1})`;
  const histogram = (name: string, expression: string) =>
    Array.from(
      { length: latencyBounds.length + 1 },
      (_, index) => [`${name}_${index}`, isIn(expression, index)] as const,
    );
  const columns = [
    ["kind", "'row'"],
    ["start", `fromUnixTimestamp64Milli(toInt64(${Date.now()} - n * ${(365 * 86_400_000) / rows}), 'UTC')`],
    ["name", "toString(generateUUIDv4(n))"],
    ["requests", "1"],
    ["failed", "n % 50 = 0"],
    ["input", "n % 4000"],
    ["cached_input", "n % 1000"],
    ["output", "n % 900"],
    ["cost", "1000 + n % 100000"],
    ["upstream_cost", "n % 50000"],
    ["cost_with_upstream", "1000 + n % 100000"],
    ["has_upstream_cost", "1"],
    ["request_id", "concat('req_', toString(n))"],
    ["account_id", `concat('account-', toString(intDiv(${keySql.even}, 5)))`],
    ["key_id", `concat('key-', toString(${keySql.even}))`],
    ["plan", "'pro'"],
    ["endpoint", "'chat.completions'"],
    ["dialect", "'chat'"],
    ["model", `concat('model-', toString(n % ${shape.models}))`],
    ["provider", "'provider'"],
    ["upstream_model", `concat('upstream-', toString(n % ${shape.models}))`],
    ["status", "if(n % 50 = 0, 502, 200)"],
    ["ending", "'complete'"],
    ["duration_ms", "n % 9000"],
    ["first_content_ms", "n % 2000"],
    ["attempts", "1"],
    ["tags", "['red']"],
    ["timeline", `'[{"step":"admitted","at":1},{"step":"answered","at":900}]'`],
    ["end_user", "concat('user-', toString(n % 700))"],
    ["answer_id", "concat('chatcmpl-', toString(n))"],
    ...histogram("duration", "n % 9000"),
    ...histogram("first_content", "n % 2000"),
  ] as const;
  return `INSERT INTO ${usage} (${columns.map(([name]) => name).join(", ")})
    SELECT ${columns.map(([, value]) => value).join(", ")} FROM (SELECT number AS n FROM numbers(${rows}))`;
}
