  ALTER TABLE tollgate_session ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE tollgate_session AS session SET bytes = octet_length(client_data)
    + (SELECT coalesce(sum(octet_length(message)), 0) FROM tollgate_session_message WHERE session_id = session.id)
    + (SELECT coalesce(sum(octet_length(url)), 0) FROM tollgate_session_image WHERE session_id = session.id)
    + (SELECT coalesce(sum(octet_length(log)), 0) FROM tollgate_session_log WHERE session_id = session.id);

  CREATE TABLE tollgate_session_account (
    account TEXT PRIMARY KEY,
    sessions INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO tollgate_session_account (account, sessions, bytes)
    SELECT account, count(*), sum(bytes) FROM tollgate_session GROUP BY account;

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
  INSERT INTO tollgate_migration (version, applied_at) VALUES (3, 1795268235880);
