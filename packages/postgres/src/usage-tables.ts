import type { Tables } from "./schema.ts";

const id = `text COLLATE "C"`;

/** One count for each bucket of a histogram. A change of the bounds needs a new migration. */
const histogram = (prefix: string): string =>
  Array.from({ length: 21 }, (_, index) => `${prefix}${index} bigint NOT NULL`).join(", ");

/**
 * The tables of usage: rows by month, and totals by kind (dimension and length of bucket), start and name. Rows of months without
 * a partition are in the default partition.
 */
export const usageTables = (tables: Tables): readonly string[] => [...rowTables(tables), ...totalTables(tables)];

function rowTables({ usageRow, usageRowDefault }: Tables): readonly string[] {
  return [
    `CREATE TABLE ${usageRow} (
       id ${id} NOT NULL,
       at timestamptz NOT NULL,
       request_id ${id} NOT NULL,
       account_id ${id} NOT NULL,
       key_id ${id} NOT NULL,
       plan text NOT NULL,
       endpoint text NOT NULL,
       dialect text NOT NULL,
       model ${id},
       provider ${id},
       upstream_model ${id},
       status integer NOT NULL,
       error_code text,
       ending text NOT NULL,
       failed boolean NOT NULL,
       input bigint NOT NULL,
       cached_input bigint NOT NULL,
       cache_write_5m bigint NOT NULL,
       cache_write_1h bigint NOT NULL,
       output bigint NOT NULL,
       reasoning bigint NOT NULL,
       estimated boolean NOT NULL,
       cost bigint NOT NULL,
       upstream_cost bigint,
       hold_id text,
       duration_ms bigint NOT NULL,
       duration_bucket smallint NOT NULL,
       first_content_ms bigint,
       first_content_bucket smallint,
       attempts integer NOT NULL,
       session_id text,
       end_user text,
       tags text[] NOT NULL,
       timeline text NOT NULL,
       PRIMARY KEY (id, at)
     ) PARTITION BY RANGE (at)`,
    `CREATE TABLE ${usageRowDefault} PARTITION OF ${usageRow} DEFAULT`,
    `CREATE INDEX usage_row_at ON ${usageRow} (at, id)`,
    `CREATE INDEX usage_row_account ON ${usageRow} (account_id, at, id)`,
    `CREATE INDEX usage_row_key ON ${usageRow} (key_id, at, id)`,
    `CREATE INDEX usage_row_request ON ${usageRow} (request_id)`,
  ];
}

function totalTables({ usageTotal }: Tables): readonly string[] {
  return [
    // One column for dimension and grain, because the planner takes two for independent and reads the whole table.
    // Free space in each page and an eager vacuum, because the totals of the present are updated all the time.
    `CREATE TABLE ${usageTotal} (
       kind ${id} NOT NULL CHECK (kind IN (
         'model month', 'model day', 'model hour', 'account month', 'account day', 'key month', 'key day')),
       start timestamptz NOT NULL,
       name ${id} NOT NULL,
       requests bigint NOT NULL,
       failed bigint NOT NULL,
       input bigint NOT NULL,
       cached_input bigint NOT NULL,
       cache_write_5m bigint NOT NULL,
       cache_write_1h bigint NOT NULL,
       output bigint NOT NULL,
       reasoning bigint NOT NULL,
       cost bigint NOT NULL,
       upstream_cost bigint NOT NULL,
       cost_with_upstream bigint NOT NULL,
       ${histogram("duration_")},
       ${histogram("first_content_")},
       PRIMARY KEY (kind, start, name)
     ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
    `CREATE INDEX usage_total_name ON ${usageTotal} (kind, name, start)`,
  ];
}
