/**
 * The migration that adds receipts. The columns of a hold are copied to its entries. All are NULL in the rows of older
 * versions, and those of the charge also in expiries. Prices are in nano-units per million tokens, and `request_price` in
 * nano-units.
 */
export const receiptTables = `
  ALTER TABLE tollgate_hold ADD COLUMN request_id TEXT;
  ALTER TABLE tollgate_hold ADD COLUMN model TEXT;
  ALTER TABLE tollgate_hold ADD COLUMN dialect TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN request_id TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN model TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN dialect TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN key_id TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN provider TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN upstream_model TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN basis TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN status TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN input_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cached_input_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_5m_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_1h_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN output_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN reasoning_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN input_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cached_input_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_5m_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_1h_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN output_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN request_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN duration_ms INTEGER;
`;

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

/**
 * The migration that adds the caps of tokens: a counter for each token that has one, and when to remove it. SQLite cannot change
 * the check of a column, so the rows move to a new table.
 */
export const tokenCaps = `
  ALTER TABLE tollgate_hold ADD COLUMN token_spend INTEGER;
  ALTER TABLE tollgate_spend RENAME TO tollgate_spend_before;
  CREATE TABLE tollgate_spend (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL CHECK (scope IN ('account', 'key', 'token')),
    subject TEXT NOT NULL,
    period TEXT NOT NULL,
    timezone TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    charged INTEGER NOT NULL DEFAULT 0,
    noticed TEXT NOT NULL DEFAULT '[]',
    remove_at INTEGER,
    UNIQUE (scope, subject, period, timezone, starts_at)
  ) STRICT;
  INSERT INTO tollgate_spend (id, scope, subject, period, timezone, starts_at, spent, charged, noticed)
    SELECT id, scope, subject, period, timezone, starts_at, spent, charged, noticed FROM tollgate_spend_before;
  DROP TABLE tollgate_spend_before;
  CREATE INDEX tollgate_spend_removal ON tollgate_spend (remove_at) WHERE remove_at IS NOT NULL;
`;

/** The entries of an account by time, and the few that are no charges. */
export const entryIndexes = `
  CREATE INDEX tollgate_entry_time ON tollgate_entry (account, at);
  CREATE INDEX tollgate_entry_other ON tollgate_entry (account, sequence) WHERE kind <> 'charge';
`;

/** The models of the limit of an account, and of a notice about one, as JSON. */
export const spendModelColumns = `
  ALTER TABLE tollgate_account ADD COLUMN spend_models TEXT;
  ALTER TABLE tollgate_notice ADD COLUMN spend_models TEXT;
`;
