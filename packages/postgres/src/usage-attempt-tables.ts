import type { Tables } from "./schema.ts";

const id = `text COLLATE "C"`;

/** Each sum except `refused`, with its aggregate. A released migration never changes, so they are not those of `sums`. */
export const aggregates: readonly (readonly [column: string, aggregate: string])[] = [
  ["requests", "count(*)"],
  ["failed", "count(*) FILTER (WHERE failed)"],
  ...["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning", "cost"].map(
    (column) => [column, `sum(${column})`] as const,
  ),
  ["upstream_cost", "coalesce(sum(upstream_cost), 0)"],
  ["cost_with_upstream", "coalesce(sum(cost) FILTER (WHERE upstream_cost IS NOT NULL), 0)"],
  ...["duration", "first_content"].flatMap((name) =>
    Array.from(
      { length: 21 },
      (_, index) => [`${name}_${index}`, `count(*) FILTER (WHERE ${name}_bucket = ${index})`] as const,
    ),
  ),
];

const kindsOf = (dimension: string, name: string, grains: readonly string[]) =>
  grains.map((grain) => ({ kind: `${dimension} ${grain}`, grain, name }));

const account = "account_id";
const target = "coalesce(provider || '/' || upstream_model, '')";
const addedKinds = [
  ...kindsOf("target", target, ["month", "day", "hour"]),
  ...kindsOf("account", account, ["hour"]),
  ...kindsOf("key", "key_id", ["hour"]),
];
const keptKinds = [
  ...kindsOf("model", "coalesce(model, '')", ["month", "day", "hour"]),
  ...kindsOf("account", account, ["month", "day"]),
  ...kindsOf("key", "key_id", ["month", "day"]),
];

/**
 * The migration that adds totals by target, hourly totals by account and key, the requests that were refused, attempts by
 * target, and ids of answers. Totals are filled from the rows that exist; those of older rows count refused requests as
 * failed. What older versions record after this migration is missing in the new totals, so update every process.
 */
export function usageAttemptTables({ usageRow, usageTotal, usageAttempt, entry }: Tables): readonly string[] {
  const columns = aggregates.map(([column]) => column).join(", ");
  return [
    `ALTER TABLE ${usageRow} ADD COLUMN attempts_by_target text, ADD COLUMN answer_id ${id}`,
    `CREATE INDEX usage_row_answer ON ${usageRow} (answer_id, account_id) WHERE answer_id IS NOT NULL`,
    `ALTER TABLE ${usageTotal} DROP CONSTRAINT usage_total_kind_check, ADD COLUMN refused bigint NOT NULL DEFAULT 0`,
    ...addedKinds.map(
      ({ kind, grain, name }) => `INSERT INTO ${usageTotal} (kind, start, name, ${columns})
        SELECT '${kind}', date_trunc('${grain}', at, 'UTC'), ${name}, ${aggregates.map(([, sum]) => sum).join(", ")}
          FROM ${usageRow} GROUP BY 2, 3`,
    ),
    ...[...keptKinds, ...addedKinds].map(
      ({ kind, grain, name }) => `UPDATE ${usageTotal} AS total SET refused = counted.refused
        FROM (SELECT date_trunc('${grain}', at, 'UTC') AS start, ${name} AS name, count(*) AS refused
                FROM ${usageRow} WHERE status BETWEEN 400 AND 499 GROUP BY 1, 2) AS counted
       WHERE total.kind = '${kind}' AND total.start = counted.start AND total.name = counted.name`,
    ),
    `CREATE TABLE ${usageAttempt} (
       start timestamptz NOT NULL,
       provider ${id} NOT NULL,
       upstream_model ${id} NOT NULL,
       failure ${id} NOT NULL,
       attempts bigint NOT NULL,
       PRIMARY KEY (start, provider, upstream_model, failure)
     ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
    `ALTER TABLE ${entry} ADD COLUMN answer_id ${id}`,
    `CREATE INDEX entry_of_answer ON ${entry} (answer_id, account_id) WHERE answer_id IS NOT NULL`,
  ];
}
