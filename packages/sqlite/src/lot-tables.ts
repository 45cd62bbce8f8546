/**
 * The migration that makes the key of a hold optional, for charges of the host, and gives it their description. SQLite cannot
 * change a column, so the rows move to a new table.
 */
export const hostCharges = `
  ALTER TABLE tollgate_hold RENAME TO tollgate_hold_before;
  CREATE TABLE tollgate_hold (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES tollgate_account (id),
    key_id TEXT,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    used INTEGER NOT NULL DEFAULT 0 CHECK (used >= 0),
    charged INTEGER NOT NULL DEFAULT 0 CHECK (charged >= 0),
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'settled', 'released', 'expired')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    request_id TEXT,
    model TEXT,
    dialect TEXT,
    account_spend INTEGER,
    key_spend INTEGER,
    notices TEXT,
    asked TEXT,
    description TEXT,
    metadata TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at, request_id,
      model, dialect, account_spend, key_spend, notices, asked)
    SELECT id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at, request_id,
      model, dialect, account_spend, key_spend, notices, asked FROM tollgate_hold_before;
  DROP TABLE tollgate_hold_before;
  CREATE INDEX tollgate_hold_due ON tollgate_hold (expires_at) WHERE state = 'pending';
`;

const receiptColumns = `request_id, model, dialect, key_id, provider, upstream_model, basis, status, answer_id,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens,
      input_price, cached_input_price, cache_write_5m_price, cache_write_1h_price, output_price, request_price, duration_ms`;

/**
 * The migration by which entries can be refunds and lapses, and name lots as JSON. What caused an entry is unique by kind; two
 * accounts may have the same allowance, and a lot may lapse in parts.
 */
export const lotEntries = `
  ALTER TABLE tollgate_entry RENAME TO tollgate_entry_before;
  CREATE TABLE tollgate_entry (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES tollgate_account (id),
    kind TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0),
    reference TEXT NOT NULL,
    reason TEXT,
    at INTEGER NOT NULL,
    request_id TEXT,
    model TEXT,
    dialect TEXT,
    key_id TEXT,
    provider TEXT,
    upstream_model TEXT,
    basis TEXT,
    status TEXT,
    answer_id TEXT,
    input_tokens INTEGER,
    cached_input_tokens INTEGER,
    cache_write_5m_tokens INTEGER,
    cache_write_1h_tokens INTEGER,
    output_tokens INTEGER,
    reasoning_tokens INTEGER,
    input_price INTEGER,
    cached_input_price INTEGER,
    cache_write_5m_price INTEGER,
    cache_write_1h_price INTEGER,
    output_price INTEGER,
    request_price INTEGER,
    duration_ms INTEGER,
    tier INTEGER,
    description TEXT,
    metadata TEXT,
    lots TEXT
  ) STRICT;
  INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at, ${receiptColumns})
    SELECT sequence, account, kind, amount, reference, reason, at, ${receiptColumns} FROM tollgate_entry_before;
  DROP TABLE tollgate_entry_before;
  CREATE UNIQUE INDEX tollgate_entry_reference ON tollgate_entry
    (reference, kind, (CASE kind WHEN 'credit' THEN account WHEN 'lapse' THEN sequence ELSE '' END));
  CREATE INDEX tollgate_entry_account ON tollgate_entry (account, sequence);
  CREATE INDEX tollgate_entry_time ON tollgate_entry (account, at);
  CREATE INDEX tollgate_entry_other ON tollgate_entry (account, sequence) WHERE kind <> 'charge';
  CREATE INDEX tollgate_entry_answer ON tollgate_entry (answer_id, account) WHERE answer_id IS NOT NULL;

  CREATE TRIGGER tollgate_entry_unchanging BEFORE UPDATE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
  CREATE TRIGGER tollgate_entry_undeleted BEFORE DELETE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
`;

/**
 * The migration that adds lots: what is left of each credit that was granted or that expires. An account has the sum of its
 * lots, the time at which the next one expires, and the window whose allowance was granted last. A debit of paid money is kept
 * as it was asked for, since it may post less.
 */
export const lotTables = `
  CREATE TABLE tollgate_lot (
    account TEXT NOT NULL REFERENCES tollgate_account (id),
    id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('paid', 'granted')),
    rest INTEGER NOT NULL CHECK (rest >= 0),
    expires_at INTEGER,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (account, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tollgate_lot_open ON tollgate_lot (account) WHERE rest > 0;

  CREATE TABLE tollgate_paid_debit (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    amount INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE tollgate_account ADD COLUMN in_lots INTEGER NOT NULL DEFAULT 0 CHECK (in_lots >= 0);
  ALTER TABLE tollgate_account ADD COLUMN next_lapse INTEGER;
  ALTER TABLE tollgate_account ADD COLUMN allowance_window TEXT;
  ALTER TABLE tollgate_account ADD COLUMN allowance_until INTEGER;
  ALTER TABLE tollgate_account ADD COLUMN frozen_at INTEGER;
  ALTER TABLE tollgate_account ADD COLUMN frozen_reason TEXT;
  CREATE INDEX tollgate_account_lapse ON tollgate_account (next_lapse) WHERE next_lapse IS NOT NULL;

  ALTER TABLE tollgate_notice ADD COLUMN amount INTEGER;
  ALTER TABLE tollgate_notice ADD COLUMN money_kind TEXT;
  ALTER TABLE tollgate_notice ADD COLUMN reason TEXT;
  ALTER TABLE tollgate_notice ADD COLUMN expires_at INTEGER;
  ALTER TABLE tollgate_notice ADD COLUMN charge INTEGER;
`;

/** Tells whether an entry counts as used, by its column. A list of the kinds would be a table of its own for each entry. */
export const isUse = (kind: string): string =>
  `(${["charge", "expiry", "late", "refund"].map((name) => `${kind} = '${name}'`).join(" OR ")})`;

/** The nano-units of one unit. */
export const nanos = 1_000_000_000;

/**
 * The migration that adds what was credited to and used by an account, and used by a key, with the sums of the entries that
 * exist. Each total is two columns, whose sum is units * 10^9 + nanos: over the years it can exceed what one column holds, and
 * a charge must not fail for that. The triggers keep them also for older versions that share the file.
 */
export const totalTables = `
  ALTER TABLE tollgate_account ADD COLUMN credited_units INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tollgate_account ADD COLUMN credited_nanos INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tollgate_account ADD COLUMN used_units INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tollgate_account ADD COLUMN used_nanos INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE tollgate_key_usage (
    key_id TEXT PRIMARY KEY,
    used_units INTEGER NOT NULL,
    used_nanos INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  UPDATE tollgate_account SET credited_units = found.units, credited_nanos = found.nanos
    FROM (SELECT account, sum(amount / ${nanos}) AS units, sum(amount % ${nanos}) AS nanos
            FROM tollgate_entry WHERE kind = 'credit' GROUP BY account) AS found
   WHERE id = found.account;
  UPDATE tollgate_account SET used_units = found.units, used_nanos = found.nanos
    FROM (SELECT account, -sum(amount / ${nanos}) AS units, -sum(amount % ${nanos}) AS nanos
            FROM tollgate_entry WHERE ${isUse("kind")} GROUP BY account) AS found
   WHERE id = found.account;
  INSERT INTO tollgate_key_usage (key_id, used_units, used_nanos)
    SELECT tollgate_hold.key_id, -sum(entry.amount / ${nanos}), -sum(entry.amount % ${nanos})
      FROM tollgate_entry AS entry JOIN tollgate_hold ON tollgate_hold.id = entry.reference
     WHERE ${isUse("entry.kind")} GROUP BY 1;

  CREATE TRIGGER tollgate_entry_credited AFTER INSERT ON tollgate_entry
    WHEN NEW.kind = 'credit'
      OR NEW.kind = 'debit' AND EXISTS (SELECT 1 FROM tollgate_paid_debit WHERE id = NEW.reference)
    BEGIN
      UPDATE tollgate_account SET credited_units = credited_units + NEW.amount / ${nanos},
             credited_nanos = credited_nanos + NEW.amount % ${nanos}
       WHERE id = NEW.account;
    END;
  CREATE TRIGGER tollgate_entry_used AFTER INSERT ON tollgate_entry WHEN ${isUse("NEW.kind")}
    BEGIN
      UPDATE tollgate_account SET used_units = used_units - NEW.amount / ${nanos},
             used_nanos = used_nanos - NEW.amount % ${nanos}
       WHERE id = NEW.account;
      INSERT INTO tollgate_key_usage (key_id, used_units, used_nanos)
        SELECT key_id, -(NEW.amount / ${nanos}), -(NEW.amount % ${nanos})
          FROM (SELECT coalesce(NEW.key_id, (SELECT key_id FROM tollgate_hold WHERE id = NEW.reference)) AS key_id)
         WHERE key_id IS NOT NULL
        ON CONFLICT (key_id) DO UPDATE SET used_units = used_units + excluded.used_units,
          used_nanos = used_nanos + excluded.used_nanos;
    END;
`;

/** What keys may do, as JSON. */
export const keyScopesColumn = `
  ALTER TABLE tollgate_key ADD COLUMN scopes TEXT;
`;
