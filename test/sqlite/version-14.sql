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
  , spend TEXT, tags TEXT, log_content INTEGER CHECK (log_content IN (0, 1)), dialects TEXT, limits_id TEXT) STRICT;
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
  , spend_limit INTEGER, spend_window TEXT, spend_timezone TEXT, low_below INTEGER, low_balance INTEGER) STRICT, WITHOUT ROWID;
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
  , request_id TEXT, model TEXT, dialect TEXT, account_spend INTEGER, key_spend INTEGER, notices TEXT, asked TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE tollgate_entry (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES tollgate_account (id),
    kind TEXT NOT NULL CHECK (kind IN ('credit', 'debit', 'charge', 'expiry', 'late')),
    amount INTEGER NOT NULL CHECK (amount <> 0),
    reference TEXT NOT NULL,
    reason TEXT,
    at INTEGER NOT NULL, request_id TEXT, model TEXT, dialect TEXT, key_id TEXT, provider TEXT, upstream_model TEXT, basis TEXT, status TEXT, input_tokens INTEGER, cached_input_tokens INTEGER, cache_write_5m_tokens INTEGER, cache_write_1h_tokens INTEGER, output_tokens INTEGER, reasoning_tokens INTEGER, input_price INTEGER, cached_input_price INTEGER, cache_write_5m_price INTEGER, cache_write_1h_price INTEGER, output_price INTEGER, request_price INTEGER, duration_ms INTEGER, answer_id TEXT,
    UNIQUE (reference, kind)
  ) STRICT;
CREATE TABLE tollgate_session (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    assistant_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ttl_ms INTEGER NOT NULL CHECK (ttl_ms > 0),
    expires_at INTEGER NOT NULL,
    turn_id TEXT,
    leased_until INTEGER,
    client_data TEXT NOT NULL, bytes INTEGER NOT NULL DEFAULT 0,
    CHECK ((turn_id IS NULL) = (leased_until IS NULL))
  ) STRICT;
CREATE TABLE tollgate_session_message (
    session_id TEXT NOT NULL REFERENCES tollgate_session (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    starts_turn INTEGER NOT NULL CHECK (starts_turn IN (0, 1)),
    at INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (session_id, sequence)
  ) STRICT;
CREATE TABLE tollgate_session_image (
    session_id TEXT NOT NULL REFERENCES tollgate_session (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    url TEXT NOT NULL,
    PRIMARY KEY (session_id, sequence)
  ) STRICT;
CREATE TABLE tollgate_session_log (
    session_id TEXT NOT NULL REFERENCES tollgate_session (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    log TEXT NOT NULL,
    PRIMARY KEY (session_id, sequence)
  ) STRICT;
CREATE TABLE tollgate_session_account (
    account TEXT PRIMARY KEY,
    sessions INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
CREATE TABLE tollgate_audit (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    before TEXT,
    after TEXT
  ) STRICT;
CREATE TABLE tollgate_usage (
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    account TEXT NOT NULL,
    key_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    dialect TEXT NOT NULL,
    model TEXT,
    provider TEXT,
    upstream_model TEXT,
    status INTEGER NOT NULL,
    error_code TEXT,
    ending TEXT NOT NULL,
    failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
    input INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,
    estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)),
    cost INTEGER NOT NULL,
    upstream_cost INTEGER,
    hold_id TEXT,
    duration_ms INTEGER NOT NULL,
    duration_bucket INTEGER NOT NULL,
    first_content_ms INTEGER,
    first_content_bucket INTEGER,
    attempts INTEGER NOT NULL,
    session_id TEXT,
    end_user TEXT,
    tags TEXT NOT NULL,
    timeline TEXT NOT NULL, attempts_by_target TEXT, answer_id TEXT,
    PRIMARY KEY (id, at)
  ) STRICT;
CREATE TABLE tollgate_spend (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL CHECK (scope IN ('account', 'key')),
    subject TEXT NOT NULL,
    period TEXT NOT NULL,
    timezone TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0, noticed TEXT NOT NULL DEFAULT '[]', charged INTEGER NOT NULL DEFAULT 0,
    UNIQUE (scope, subject, period, timezone, starts_at)
  ) STRICT;
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
CREATE TABLE tollgate_response_item (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    response INTEGER NOT NULL REFERENCES tollgate_response (sequence) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('input', 'output')),
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    item TEXT NOT NULL
  ) STRICT;
CREATE TABLE tollgate_response_account (
    account TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT;
CREATE TABLE tollgate_usage_total (
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    name TEXT NOT NULL,
    requests INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    upstream_cost INTEGER NOT NULL,
    cost_with_upstream INTEGER NOT NULL,
    duration_0 INTEGER NOT NULL,
    duration_1 INTEGER NOT NULL,
    duration_2 INTEGER NOT NULL,
    duration_3 INTEGER NOT NULL,
    duration_4 INTEGER NOT NULL,
    duration_5 INTEGER NOT NULL,
    duration_6 INTEGER NOT NULL,
    duration_7 INTEGER NOT NULL,
    duration_8 INTEGER NOT NULL,
    duration_9 INTEGER NOT NULL,
    duration_10 INTEGER NOT NULL,
    duration_11 INTEGER NOT NULL,
    duration_12 INTEGER NOT NULL,
    duration_13 INTEGER NOT NULL,
    duration_14 INTEGER NOT NULL,
    duration_15 INTEGER NOT NULL,
    duration_16 INTEGER NOT NULL,
    duration_17 INTEGER NOT NULL,
    duration_18 INTEGER NOT NULL,
    duration_19 INTEGER NOT NULL,
    duration_20 INTEGER NOT NULL,
    first_content_0 INTEGER NOT NULL,
    first_content_1 INTEGER NOT NULL,
    first_content_2 INTEGER NOT NULL,
    first_content_3 INTEGER NOT NULL,
    first_content_4 INTEGER NOT NULL,
    first_content_5 INTEGER NOT NULL,
    first_content_6 INTEGER NOT NULL,
    first_content_7 INTEGER NOT NULL,
    first_content_8 INTEGER NOT NULL,
    first_content_9 INTEGER NOT NULL,
    first_content_10 INTEGER NOT NULL,
    first_content_11 INTEGER NOT NULL,
    first_content_12 INTEGER NOT NULL,
    first_content_13 INTEGER NOT NULL,
    first_content_14 INTEGER NOT NULL,
    first_content_15 INTEGER NOT NULL,
    first_content_16 INTEGER NOT NULL,
    first_content_17 INTEGER NOT NULL,
    first_content_18 INTEGER NOT NULL,
    first_content_19 INTEGER NOT NULL,
    first_content_20 INTEGER NOT NULL,
    refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, start, name)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE tollgate_usage_attempt (
    start INTEGER NOT NULL,
    provider TEXT NOT NULL,
    upstream_model TEXT NOT NULL,
    failure TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (start, provider, upstream_model, failure)
  ) STRICT, WITHOUT ROWID;
INSERT INTO tollgate_migration (version, applied_at) VALUES (1, 1795754722987);
INSERT INTO tollgate_migration (version, applied_at) VALUES (2, 1795754722988);
INSERT INTO tollgate_migration (version, applied_at) VALUES (3, 1795754722994);
INSERT INTO tollgate_migration (version, applied_at) VALUES (4, 1795754722995);
INSERT INTO tollgate_migration (version, applied_at) VALUES (5, 1795754722995);
INSERT INTO tollgate_migration (version, applied_at) VALUES (6, 1795754723003);
INSERT INTO tollgate_migration (version, applied_at) VALUES (7, 1795754723003);
INSERT INTO tollgate_migration (version, applied_at) VALUES (8, 1795754723009);
INSERT INTO tollgate_migration (version, applied_at) VALUES (9, 1795754723010);
INSERT INTO tollgate_migration (version, applied_at) VALUES (10, 1795754723010);
INSERT INTO tollgate_migration (version, applied_at) VALUES (11, 1795754723010);
INSERT INTO tollgate_migration (version, applied_at) VALUES (12, 1795754723019);
INSERT INTO tollgate_migration (version, applied_at) VALUES (13, 1795754723021);
INSERT INTO tollgate_migration (version, applied_at) VALUES (14, 1795754723021);
INSERT INTO tollgate_key (position, id, digest, account, plan, name, last_four, created_at, dialects) VALUES (1, '531c3952-e6d3-4c45-b046-6f923164af0b', '9f35f85eb5acde8b9fc014c07c59f1fba660af2d77b72c36206a57e3cb8f62da', 'a', 'basic', 'first', '0IDE', 1795754723032, '["chat"]');
INSERT INTO tollgate_key (position, id, digest, account, plan, name, last_four, created_at, spend) VALUES (2, '25b24b04-8de6-4cf4-ae37-9b918f3eb686', 'ae5fa8b90e579fd996b57a21ccd61becb8b7fb5df0133e1f43985537dedf2b23', 'a', 'basic', 'second', '9GLh', 1795754723033, '{"limit":"10000","window":"total"}');
INSERT INTO tollgate_account (id, posted, held, spend_limit, spend_window, spend_timezone, low_balance) VALUES ('a', 1170, 387, 9000, 'month', 'Europe/Berlin', 2000);
INSERT INTO tollgate_account (id, posted, held) VALUES ('b', -12, 0);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at, request_id, model, dialect, key_spend) VALUES ('expired', 'a', '25b24b04-8de6-4cf4-ae37-9b918f3eb686', 100, 30, 30, 'expired', 1795754723062, 1795754723063, 1795754723084, 'req-1', 'model-1', 'chat', 3);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, request_id, model, dialect, key_spend, asked) VALUES ('flexible', 'a', '531c3952-e6d3-4c45-b046-6f923164af0b', 287, 0, 0, 'pending', 1795754723085, 4000000000000, 'req-1', 'model-1', 'chat', 1, '400 10 1');
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at, request_id, model, dialect, key_spend) VALUES ('late', 'a', '25b24b04-8de6-4cf4-ae37-9b918f3eb686', 100, 30, 20, 'settled', 1795754723062, 1795754723064, 1795754723084, 'req-1', 'model-1', 'chat', 3);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at) VALUES ('old', 'a', '531c3952-e6d3-4c45-b046-6f923164af0b', 90, 0, 80, 'settled', 1000, 2000, 1500);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at, request_id, model, dialect, key_spend) VALUES ('released', 'a', '531c3952-e6d3-4c45-b046-6f923164af0b', 50, 0, 0, 'released', 1795754723062, 4000000000000, 1795754723062, 'req-1', 'model-1', 'chat', 1);
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, request_id, model, dialect, key_spend, notices) VALUES ('running', 'a', '25b24b04-8de6-4cf4-ae37-9b918f3eb686', 100, 0, 0, 'pending', 1795754723085, 4000000000001, 'req-1', 'model-1', 'chat', 3, '{"thresholds":[50],"limits":[["key","10000",null]]}');
INSERT INTO tollgate_hold (id, account, key_id, amount, used, charged, state, created_at, expires_at, ended_at, request_id, model, dialect, key_spend) VALUES ('settled', 'a', '531c3952-e6d3-4c45-b046-6f923164af0b', 200, 0, 150, 'settled', 1795754723061, 4000000000001, 1795754723061, 'req-1', 'model-1', 'chat', 1);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (1, 'a', 'credit', 1000, 'top-up 1', 'top-up', 1795754723059);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (2, 'a', 'credit', 500, 'top-up 2', 'top-up', 1795754723060);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (3, 'a', 'debit', -50, 'fee', 'fee', 1795754723060);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, at, request_id, model, dialect, key_id, provider, upstream_model, basis, status, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, input_price, cached_input_price, cache_write_5m_price, cache_write_1h_price, output_price, request_price, duration_ms) VALUES (4, 'a', 'charge', -150, 'settled', 1795754723061, 'req-1', 'model-1', 'chat', '531c3952-e6d3-4c45-b046-6f923164af0b', 'provider-1', 'upstream-1', 'reported', 'complete', 6, 3, 2, 1, 5, 4, 1, 2, 3, 4, 5, 6, 7);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, at, request_id, model, dialect, key_id) VALUES (5, 'a', 'expiry', -30, 'expired', 1795754723084, 'req-1', 'model-1', 'chat', '25b24b04-8de6-4cf4-ae37-9b918f3eb686');
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, at, request_id, model, dialect, key_id) VALUES (6, 'a', 'expiry', -30, 'late', 1795754723084, 'req-1', 'model-1', 'chat', '25b24b04-8de6-4cf4-ae37-9b918f3eb686');
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, at, request_id, model, dialect, key_id, provider, upstream_model, basis, status, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, input_price, cached_input_price, cache_write_5m_price, cache_write_1h_price, output_price, request_price, duration_ms, answer_id) VALUES (7, 'a', 'late', 10, 'late', 1795754723084, 'req-1', 'model-1', 'chat', '25b24b04-8de6-4cf4-ae37-9b918f3eb686', 'provider-1', 'upstream-1', 'reported', 'complete', 6, 3, 2, 1, 5, 4, 1, 2, 3, 4, 5, 6, 7, 'chatcmpl-1');
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (8, 'b', 'credit', 7, 'top-up 3', 'top-up', 1795754723114);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, reason, at) VALUES (9, 'b', 'debit', -19, 'invoice', 'invoice', 1795754723114);
INSERT INTO tollgate_entry (sequence, account, kind, amount, reference, at) VALUES (10, 'a', 'charge', -80, 'old', 1500);
INSERT INTO tollgate_spend (id, scope, subject, period, timezone, starts_at, spent, noticed, charged) VALUES (1, 'key', '531c3952-e6d3-4c45-b046-6f923164af0b', 'total', 'UTC', 0, 437, '[]', 150);
INSERT INTO tollgate_spend (id, scope, subject, period, timezone, starts_at, spent, noticed, charged) VALUES (3, 'key', '25b24b04-8de6-4cf4-ae37-9b918f3eb686', 'total', 'UTC', 0, 150, '[]', 50);
CREATE INDEX tollgate_key_account ON tollgate_key (account, position);
CREATE INDEX tollgate_hold_due ON tollgate_hold (expires_at) WHERE state = 'pending';
CREATE INDEX tollgate_entry_account ON tollgate_entry (account, sequence);
CREATE TRIGGER tollgate_entry_unchanging BEFORE UPDATE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
CREATE TRIGGER tollgate_entry_undeleted BEFORE DELETE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
CREATE INDEX tollgate_session_due ON tollgate_session (expires_at);
CREATE INDEX tollgate_session_newest ON tollgate_session (account, created_at, id);
CREATE INDEX tollgate_session_account_due ON tollgate_session (account, expires_at);
CREATE TRIGGER tollgate_session_made AFTER INSERT ON tollgate_session BEGIN
    INSERT INTO tollgate_session_account (account, sessions, bytes) VALUES (NEW.account, 1, NEW.bytes)
      ON CONFLICT (account) DO UPDATE SET sessions = sessions + 1, bytes = bytes + excluded.bytes;
    UPDATE tollgate_session SET bytes = bytes + octet_length(NEW.client_data) WHERE id = NEW.id;
  END;
CREATE TRIGGER tollgate_session_removed AFTER DELETE ON tollgate_session BEGIN
    UPDATE tollgate_session_account SET sessions = sessions - 1, bytes = bytes - OLD.bytes WHERE account = OLD.account;
    DELETE FROM tollgate_session_account WHERE account = OLD.account AND sessions <= 0;
  END;
CREATE TRIGGER tollgate_session_counted AFTER UPDATE OF bytes ON tollgate_session WHEN NEW.bytes <> OLD.bytes BEGIN
    UPDATE tollgate_session_account SET bytes = bytes + NEW.bytes - OLD.bytes WHERE account = NEW.account;
  END;
CREATE TRIGGER tollgate_session_merged AFTER UPDATE OF client_data ON tollgate_session BEGIN
    UPDATE tollgate_session SET bytes = bytes + octet_length(NEW.client_data) - octet_length(OLD.client_data)
      WHERE id = NEW.id;
  END;
CREATE TRIGGER tollgate_session_message_added AFTER INSERT ON tollgate_session_message BEGIN
    UPDATE tollgate_session SET bytes = bytes + octet_length(NEW.message) WHERE id = NEW.session_id;
  END;
CREATE TRIGGER tollgate_session_image_added AFTER INSERT ON tollgate_session_image BEGIN
    UPDATE tollgate_session SET bytes = bytes + octet_length(NEW.url) WHERE id = NEW.session_id;
  END;
CREATE TRIGGER tollgate_session_log_added AFTER INSERT ON tollgate_session_log BEGIN
    UPDATE tollgate_session SET bytes = bytes + octet_length(NEW.log) WHERE id = NEW.session_id;
  END;
CREATE TRIGGER tollgate_session_log_dropped AFTER DELETE ON tollgate_session_log BEGIN
    UPDATE tollgate_session SET bytes = bytes - octet_length(OLD.log) WHERE id = OLD.session_id;
  END;
CREATE INDEX tollgate_terms_acceptance_of_version ON tollgate_terms_acceptance (version_id, account);
CREATE INDEX tollgate_session_of_all ON tollgate_session (created_at, id);
CREATE INDEX tollgate_audit_actor ON tollgate_audit (actor, sequence);
CREATE INDEX tollgate_audit_action ON tollgate_audit (action, sequence);
CREATE INDEX tollgate_audit_subject ON tollgate_audit (subject, sequence);
CREATE TRIGGER tollgate_audit_unchanging BEFORE UPDATE ON tollgate_audit
    BEGIN SELECT raise(ABORT, 'tollgate_audit is append-only: record another change'); END;
CREATE TRIGGER tollgate_audit_undeleted BEFORE DELETE ON tollgate_audit
    BEGIN SELECT raise(ABORT, 'tollgate_audit is append-only: record another change'); END;
CREATE INDEX tollgate_usage_at ON tollgate_usage (at, id);
CREATE INDEX tollgate_usage_account ON tollgate_usage (account, at, id);
CREATE INDEX tollgate_usage_key ON tollgate_usage (key_id, at, id);
CREATE INDEX tollgate_usage_request ON tollgate_usage (request_id);
CREATE INDEX tollgate_notice_due ON tollgate_notice (due_at);
CREATE INDEX tollgate_response_due ON tollgate_response (expires_at);
CREATE INDEX tollgate_response_account_due ON tollgate_response (account, expires_at);
CREATE INDEX tollgate_response_item_order ON tollgate_response_item (response, sequence);
CREATE INDEX tollgate_response_item_id ON tollgate_response_item (account, id, sequence);
CREATE TRIGGER tollgate_response_saved AFTER INSERT ON tollgate_response BEGIN
    INSERT INTO tollgate_response_account (account, bytes) VALUES (NEW.account, NEW.bytes)
      ON CONFLICT (account) DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
CREATE TRIGGER tollgate_response_removed AFTER DELETE ON tollgate_response BEGIN
    UPDATE tollgate_response_account SET bytes = bytes - OLD.bytes WHERE account = OLD.account;
    DELETE FROM tollgate_response_account WHERE account = OLD.account AND bytes <= 0;
  END;
CREATE INDEX tollgate_usage_answer ON tollgate_usage (answer_id, account) WHERE answer_id IS NOT NULL;
CREATE INDEX tollgate_usage_total_name ON tollgate_usage_total (kind, name, start);
CREATE INDEX tollgate_entry_answer ON tollgate_entry (answer_id, account) WHERE answer_id IS NOT NULL;
CREATE INDEX tollgate_entry_time ON tollgate_entry (account, at);
CREATE INDEX tollgate_entry_other ON tollgate_entry (account, sequence) WHERE kind <> 'charge';
