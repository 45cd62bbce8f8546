import type { Tables } from "./schema.ts";

/**
 * The migration that adds spend limits: that of an account, and a row for each window in which a limit was checked. A hold
 * has the ids of the rows that its cost is counted in.
 */
export function spendTables({ account, hold, spend }: Tables): readonly string[] {
  return [
    `ALTER TABLE ${account} ADD COLUMN spend_limit bigint, ADD COLUMN spend_window text, ADD COLUMN spend_timezone text`,
    `CREATE TABLE ${spend} (
       id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       scope text COLLATE "C" NOT NULL CHECK (scope IN ('account', 'key')),
       subject text COLLATE "C" NOT NULL,
       period text COLLATE "C" NOT NULL,
       timezone text COLLATE "C" NOT NULL,
       starts_at timestamptz NOT NULL,
       spent numeric NOT NULL DEFAULT 0,
       UNIQUE (scope, subject, period, timezone, starts_at)
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`,
    `ALTER TABLE ${hold} ADD COLUMN account_spend bigint, ADD COLUMN key_spend bigint`,
  ];
}
