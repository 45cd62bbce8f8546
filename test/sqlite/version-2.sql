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
  INSERT INTO tollgate_migration (version, applied_at) VALUES (2, 1750000000000);
  INSERT INTO tollgate_session VALUES ('5e5510a1-0000-4000-8000-000000000001','a','shop',1750000000000,1750000001000,9000000000000,10750000000000,NULL,NULL,'{"customer":"Ann é","orders":[1,2]}');
  INSERT INTO tollgate_session VALUES ('5e5510a1-0000-4000-8000-000000000002','a','shop',1750000000001,1750000000001,9000000000000,10750000000000,NULL,NULL,'{}');
  INSERT INTO tollgate_session VALUES ('5e5510a1-0000-4000-8000-000000000003','b','shop',1750000000002,1750000000002,9000000000000,10750000000000,NULL,NULL,'{}');
  INSERT INTO tollgate_session_message VALUES ('5e5510a1-0000-4000-8000-000000000001',1,1,1750000001000,'{"role":"user","content":"Grüße"}');
  INSERT INTO tollgate_session_message VALUES ('5e5510a1-0000-4000-8000-000000000001',2,0,1750000001000,'{"role":"assistant","content":"Hello."}');
  INSERT INTO tollgate_session_image VALUES ('5e5510a1-0000-4000-8000-000000000001',1,'"https://images.example/é.png"');
  INSERT INTO tollgate_session_log VALUES ('5e5510a1-0000-4000-8000-000000000001',1,'{"id":"log-1","session_id":"5e5510a1-0000-4000-8000-000000000001","trigger":"find_order","tool_call_id":"call_1","started_at":"2025-06-15T15:06:41.000Z","duration_ms":12,"attempts":[],"request":null,"response":null,"variables":[],"outcome":"not_sent","error":null,"merged_keys":[],"warnings":["é"]}');
