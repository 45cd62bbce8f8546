/** A condition over a row of tollgate_lot: the notice of its expiry is not written yet. */
export const isExpiring =
  "noticed = 0 AND rest > 0 AND expires_at IS NOT NULL AND substr(id, 1, 14) <> 'allowance:day:' AND substr(id, 1, 15) <> 'allowance:week:'";

/**
 * The migration that adds the outbox of notices. `noticed` is a JSON array of the percentages that were noticed in the
 * window, and `low_below` the amount of the last notice of a low balance, until the balance is at it again.
 */
export const noticeTables = `
  ALTER TABLE tollgate_hold ADD COLUMN notices TEXT;
  ALTER TABLE tollgate_spend ADD COLUMN noticed TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE tollgate_account ADD COLUMN low_below INTEGER;

  CREATE TABLE tollgate_notice (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    delivered TEXT NOT NULL DEFAULT '[]',
    scope TEXT,
    key_id TEXT,
    threshold INTEGER,
    spend_limit INTEGER,
    period TEXT,
    timezone TEXT,
    spent INTEGER,
    resets_at INTEGER,
    available INTEGER,
    below INTEGER
  ) STRICT;
  CREATE INDEX tollgate_notice_due ON tollgate_notice (due_at);
`;

/**
 * The migration that adds when notices were claimed last, in one row, and of which lots the expiry was noticed. The condition of
 * the index excludes the same lots as `unnoticedLot` of core.
 */
export const outboxTables = `
  CREATE TABLE tollgate_outbox (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    claimed_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO tollgate_outbox VALUES (1, 0);
  ALTER TABLE tollgate_lot ADD COLUMN noticed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX tollgate_lot_expiry ON tollgate_lot (expires_at) WHERE ${isExpiring};
`;
