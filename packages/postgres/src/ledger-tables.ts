import type { Tables } from "./schema.ts";

/**
 * The migration that adds receipts. The columns of a hold are copied to its entries. All are NULL in the rows of older
 * versions, and those of the charge also in expiries. Prices are in nano-units per million tokens, and `request_price` in
 * nano-units.
 */
export function receiptTables({ hold, entry }: Tables): readonly string[] {
  return [
    `ALTER TABLE ${hold} ADD COLUMN request_id text, ADD COLUMN model text, ADD COLUMN dialect text`,
    `ALTER TABLE ${entry}
       ADD COLUMN request_id text,
       ADD COLUMN model text,
       ADD COLUMN dialect text,
       ADD COLUMN key_id text,
       ADD COLUMN provider text,
       ADD COLUMN upstream_model text,
       ADD COLUMN basis text,
       ADD COLUMN status text,
       ADD COLUMN input_tokens bigint,
       ADD COLUMN cached_input_tokens bigint,
       ADD COLUMN cache_write_5m_tokens bigint,
       ADD COLUMN cache_write_1h_tokens bigint,
       ADD COLUMN output_tokens bigint,
       ADD COLUMN reasoning_tokens bigint,
       ADD COLUMN input_price bigint,
       ADD COLUMN cached_input_price bigint,
       ADD COLUMN cache_write_5m_price bigint,
       ADD COLUMN cache_write_1h_price bigint,
       ADD COLUMN output_price bigint,
       ADD COLUMN request_price bigint,
       ADD COLUMN duration_ms bigint`,
  ];
}

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

/**
 * The migration that adds the caps of tokens: a counter for each token that has one, and when to remove it. A process of an older
 * version frees nothing of a cap when it ends a hold, so that the token may spend less.
 */
export function tokenCaps({ hold, spend }: Tables): readonly string[] {
  return [
    `LOCK TABLE ${hold}, ${spend} IN ACCESS EXCLUSIVE MODE`,
    `ALTER TABLE ${hold} ADD COLUMN token_spend bigint`,
    `ALTER TABLE ${spend}
       DROP CONSTRAINT spend_scope_check,
       ADD CONSTRAINT spend_scope_check CHECK (scope IN ('account', 'key', 'token')),
       ADD COLUMN remove_at timestamptz`,
    `CREATE INDEX spend_removal ON ${spend} (remove_at) WHERE remove_at IS NOT NULL`,
  ];
}

/** The entries of an account by time, and the few that are no charges. */
export function entryIndexes({ entry }: Tables): readonly string[] {
  return [
    `CREATE INDEX entry_time ON ${entry} (account_id, at)`,
    `CREATE INDEX entry_other ON ${entry} (account_id, sequence) WHERE kind <> 'charge'`,
  ];
}

/** The entries of all accounts by sequence. They are stored in about that order, so that a block index is enough. */
export const entryFeedIndex = ({ entry }: Tables): readonly string[] => [
  `CREATE INDEX entry_sequence ON ${entry} USING brin (sequence) WITH (pages_per_range = 16, autosummarize = on)`,
];
