/**
 * The migration that adds spend limits: that of an account, and a row for each window in which a limit was checked. A hold
 * has the ids of the rows that its cost is counted in.
 */
export const spendTables = `
  ALTER TABLE tollgate_account ADD COLUMN spend_limit INTEGER;
  ALTER TABLE tollgate_account ADD COLUMN spend_window TEXT;
  ALTER TABLE tollgate_account ADD COLUMN spend_timezone TEXT;

  CREATE TABLE tollgate_spend (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL CHECK (scope IN ('account', 'key')),
    subject TEXT NOT NULL,
    period TEXT NOT NULL,
    timezone TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    UNIQUE (scope, subject, period, timezone, starts_at)
  ) STRICT;

  ALTER TABLE tollgate_hold ADD COLUMN account_spend INTEGER;
  ALTER TABLE tollgate_hold ADD COLUMN key_spend INTEGER;
`;
