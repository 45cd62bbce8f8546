/**
 * The tables of sessions. They are not WITHOUT ROWID tables, since JSON texts can be long
 * (https://sqlite.org/withoutrowid.html). Deleting a session deletes its rows in every table.
 */
export const sessionTables = `
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
    client_data TEXT NOT NULL,
    CHECK ((turn_id IS NULL) = (leased_until IS NULL))
  ) STRICT;
  CREATE INDEX tollgate_session_due ON tollgate_session (expires_at);

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
`;
