/** The columns of the sums, except `refused`. A published migration never changes, so they are not those of `sums`. */
export const columns: readonly string[] = [
  ...["requests", "failed", "input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"],
  ...["cost", "upstream_cost", "cost_with_upstream"],
  ...Array.from({ length: 21 }, (_, index) => `duration_${index}`),
  ...Array.from({ length: 21 }, (_, index) => `first_content_${index}`),
];

const ofRows: Readonly<Record<string, string>> = {
  requests: "count(*)",
  upstream_cost: "coalesce(sum(upstream_cost), 0)",
  cost_with_upstream: "sum(iif(upstream_cost IS NULL, 0, cost))",
};

/** Returns the sum of a column of {@link columns} over rows. */
export function sumOfRows(column: string): string {
  const [, histogram, bucket] = /^(duration|first_content)_(\d+)$/.exec(column) ?? [];
  if (histogram !== undefined) return `sum(${histogram}_bucket IS ${bucket})`;
  return ofRows[column] ?? `sum(${column})`;
}

const starts = {
  hour: "at - at % 3600000",
  day: "at - at % 86400000",
  month: "unixepoch(at / 1000, 'unixepoch', 'start of month') * 1000",
} as const;

const names = {
  model: "coalesce(model, '')",
  target: "coalesce(provider || '/' || upstream_model, '')",
  account: "account",
  key: "key_id",
} as const;

type Kind = `${keyof typeof names} ${keyof typeof starts}`;

const addedKinds: readonly Kind[] = ["target month", "target day", "target hour", "account hour", "key hour"];

const keptKinds: readonly Kind[] = [
  ...(["model month", "model day", "model hour"] as const),
  ...(["account month", "account day", "key month", "key day"] as const),
];

const startOf = (kind: Kind): string =>
  kind.endsWith("hour") ? starts.hour : kind.endsWith("day") ? starts.day : starts.month;

const nameOf = (kind: Kind): string =>
  Object.entries(names).find(([dimension]) => kind.startsWith(dimension))?.[1] ?? "''";

const fillTotals = (kind: Kind): string => `
  INSERT INTO tollgate_usage_total (kind, start, name, ${columns.join(", ")})
  SELECT '${kind}', ${startOf(kind)}, ${nameOf(kind)}, ${columns.map(sumOfRows).join(", ")} FROM tollgate_usage GROUP BY 2, 3;
`;

const countRefused = (kinds: readonly Kind[]): string => `
  UPDATE tollgate_usage_total AS total SET refused = counted.refused
  FROM (${kinds
    .map(
      (kind) => `SELECT '${kind}' AS kind, ${startOf(kind)} AS start, ${nameOf(kind)} AS name, count(*) AS refused
        FROM tollgate_usage WHERE status BETWEEN 400 AND 499 GROUP BY 2, 3`,
    )
    .join(" UNION ALL ")}) AS counted
  WHERE total.kind = counted.kind AND total.start = counted.start AND total.name = counted.name;
`;

/**
 * The migration that adds totals by target, hourly totals by account and key, the requests that were refused, attempts by
 * target, and ids of answers. Totals are filled from the rows that exist; those of older rows count refused requests as
 * failed. `failed` counts both kinds.
 */
export const usageAttemptTables = `
  ALTER TABLE tollgate_usage ADD COLUMN attempts_by_target TEXT;
  ALTER TABLE tollgate_usage ADD COLUMN answer_id TEXT;
  CREATE INDEX tollgate_usage_answer ON tollgate_usage (answer_id, account) WHERE answer_id IS NOT NULL;

  ALTER TABLE tollgate_usage_total RENAME TO tollgate_usage_total_before;
  CREATE TABLE tollgate_usage_total (
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    name TEXT NOT NULL,
    ${columns.map((column) => `${column} INTEGER NOT NULL`).join(",\n    ")},
    refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, start, name)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tollgate_usage_total (kind, start, name, ${columns.join(", ")})
  SELECT kind, start, name, ${columns.join(", ")} FROM tollgate_usage_total_before;
  DROP TABLE tollgate_usage_total_before;
  CREATE INDEX tollgate_usage_total_name ON tollgate_usage_total (kind, name, start);
  ${addedKinds.map(fillTotals).join("")}
  ${countRefused([...keptKinds, ...addedKinds])}

  CREATE TABLE tollgate_usage_attempt (
    start INTEGER NOT NULL,
    provider TEXT NOT NULL,
    upstream_model TEXT NOT NULL,
    failure TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (start, provider, upstream_model, failure)
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE tollgate_entry ADD COLUMN answer_id TEXT;
  CREATE INDEX tollgate_entry_answer ON tollgate_entry (answer_id, account) WHERE answer_id IS NOT NULL;
`;
