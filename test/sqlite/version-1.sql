CREATE TABLE tollgate_migration (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT;
CREATE TABLE tollgate_key (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    plan TEXT NOT NULL,
    name TEXT,
    last_four TEXT NOT NULL,
    models TEXT,
    features TEXT,
    limits TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    rotated_from TEXT
  ) STRICT;
CREATE TABLE tollgate_terms_acceptance (
    account TEXT NOT NULL,
    version_id TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (account, version_id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE tollgate_account (
    id TEXT PRIMARY KEY,
    posted INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE tollgate_hold (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES tollgate_account (id),
    key_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    used INTEGER NOT NULL DEFAULT 0 CHECK (used >= 0),
    charged INTEGER NOT NULL DEFAULT 0 CHECK (charged >= 0),
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'settled', 'released', 'expired')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
CREATE TABLE tollgate_entry (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES tollgate_account (id),
    kind TEXT NOT NULL CHECK (kind IN ('credit', 'debit', 'charge', 'expiry', 'late')),
    amount INTEGER NOT NULL CHECK (amount <> 0),
    reference TEXT NOT NULL,
    reason TEXT,
    at INTEGER NOT NULL,
    UNIQUE (reference, kind)
  ) STRICT;
INSERT INTO tollgate_migration (version, applied_at) VALUES (1, 1795268235880);
INSERT INTO tollgate_key (position, id, digest, account, plan, name, last_four, models, features, limits, created_at, expires_at, revoked_at, rotated_from) VALUES (1, '29b254bf-d8fa-4954-8c4b-a286c6a8fee7', 'cd0706d8537e655405ef6618727a35a1409b7122566c3e0ea922ba78ceda4d16', 'a', 'basic', 'it''s', '5x6E', NULL, NULL, '{"concurrency":2}', 1795268235884, NULL, NULL, NULL);
INSERT INTO tollgate_key (position, id, digest, account, plan, name, last_four, models, features, limits, created_at, expires_at, revoked_at, rotated_from) VALUES (2, '7731c53f-a178-473d-babd-5a8e9c4c4535', 'f96a741f3f253bfbd16009d8affbdb83cfdfd60e36367f7771ed79cebd707254', 'a', 'basic', NULL, 'kUYi', NULL, NULL, NULL, 1795268235886, NULL, 1795268235887, NULL);
INSERT INTO tollgate_terms_acceptance (account, version_id, accepted_at) VALUES ('a', 'v1', 1795268235887);
INSERT INTO tollgate_account (id, posted, held) VALUES ('a', 850, 100);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at) VALUES ('ended', 'a', '29b254bf-d8fa-4954-8c4b-a286c6a8fee7', 200, 0, 150, 'settled', 1795268235890, 1795268295890, 1795268235891);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at) VALUES ('released', 'a', '29b254bf-d8fa-4954-8c4b-a286c6a8fee7', 50, 0, 0, 'released', 1795268235891, 1795268295891, 1795268235892);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at) VALUES ('running', 'a', '29b254bf-d8fa-4954-8c4b-a286c6a8fee7', 100, 0, 0, 'pending', 1795268235888, 1795268295888, NULL);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (1, 'a', 'credit', 1000, 'top-up 1', 'top-up', 1795268235888);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (2, 'a', 'charge', -150, 'ended', NULL, 1795268235891);
CREATE INDEX tollgate_key_account ON tollgate_key (account, position);
CREATE INDEX tollgate_hold_due ON tollgate_hold (expires_at) WHERE state = 'pending';
CREATE INDEX tollgate_entry_account ON tollgate_entry (account, sequence);
CREATE TRIGGER tollgate_entry_unchanging BEFORE UPDATE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
CREATE TRIGGER tollgate_entry_undeleted BEFORE DELETE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
