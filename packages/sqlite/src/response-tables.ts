/**
 * The tables of stored responses. `sequence` ascends in the order of storing, in both tables. An account's bytes are those
 * of its responses and items; triggers update them. Deleting a response deletes its items.
 */
export const responseTables = `
  CREATE TABLE tollgate_response (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    previous_id TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    items INTEGER NOT NULL,
    item_bytes INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    response TEXT NOT NULL
  ) STRICT;
  CREATE INDEX tollgate_response_due ON tollgate_response (expires_at);
  CREATE INDEX tollgate_response_account_due ON tollgate_response (account, expires_at);

  CREATE TABLE tollgate_response_item (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    response INTEGER NOT NULL REFERENCES tollgate_response (sequence) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('input', 'output')),
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    item TEXT NOT NULL
  ) STRICT;
  CREATE INDEX tollgate_response_item_order ON tollgate_response_item (response, sequence);
  CREATE INDEX tollgate_response_item_id ON tollgate_response_item (account, id, sequence);

  CREATE TABLE tollgate_response_account (
    account TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT;

  CREATE TRIGGER tollgate_response_saved AFTER INSERT ON tollgate_response BEGIN
    INSERT INTO tollgate_response_account (account, bytes) VALUES (NEW.account, NEW.bytes)
      ON CONFLICT (account) DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER tollgate_response_removed AFTER DELETE ON tollgate_response BEGIN
    UPDATE tollgate_response_account SET bytes = bytes - OLD.bytes WHERE account = OLD.account;
    DELETE FROM tollgate_response_account WHERE account = OLD.account AND bytes <= 0;
  END;
`;
