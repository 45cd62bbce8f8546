import type { Tables } from "./schema.ts";
import { aggregates } from "./usage-attempt-tables.ts";

const id = `text COLLATE "C"`;

/** The sums and their aggregates. */
const sums = [...aggregates, ["refused", "count(*) FILTER (WHERE status BETWEEN 400 AND 499)"] as const];

/** The name of each dimension, and what rows are joined to for it. A row with several tags counts in each. */
const dimensions = {
  model: ["coalesce(model, '')", ""],
  key: ["key_id", ""],
  dialect: ["dialect", ""],
  tag: [
    "tag.name",
    `CROSS JOIN LATERAL (
       SELECT DISTINCT unnest(CASE WHEN cardinality(tags) = 0 THEN ARRAY[''] ELSE tags END) AS name) AS tag`,
  ],
} as const;

/**
 * The migration that adds totals of the models, keys, dialects and tags of each account, and the order in which the newest request of an
 * account with an id is found. Totals are filled from the rows that exist. What older versions record after this migration is
 * missing in them, so update every process.
 */
export const usageAccountTables = ({ schema, usageRow, usageAccountTotal }: Tables): readonly string[] => [
  `DROP INDEX "${schema}".usage_row_request`,
  `CREATE INDEX usage_row_request ON ${usageRow} (request_id, account_id, at, id)`,
  `DROP INDEX "${schema}".usage_row_answer`,
  `CREATE INDEX usage_row_answer ON ${usageRow} (answer_id, account_id, at, id) WHERE answer_id IS NOT NULL`,
  // Free space in each page and an eager vacuum, because the totals of the present are updated all the time.
  `CREATE TABLE ${usageAccountTotal} (
     account_id ${id} NOT NULL,
     kind ${id} NOT NULL,
     start timestamptz NOT NULL,
     name ${id} NOT NULL,
     ${sums.map(([column]) => `${column} bigint NOT NULL`).join(", ")},
     PRIMARY KEY (account_id, kind, start, name)
   ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
  ...(["model", "key", "dialect", "tag"] as const).map((dimension) => {
    const [name, joined] = dimensions[dimension];
    return `INSERT INTO ${usageAccountTotal} (account_id, kind, start, name, ${sums.map(([column]) => column).join(", ")})
      SELECT account_id, '${dimension} day', date_trunc('day', at, 'UTC'), ${name}, ${sums.map(([, sum]) => sum).join(", ")}
        FROM ${usageRow} ${joined} GROUP BY 1, 3, 4`;
  }),
];
