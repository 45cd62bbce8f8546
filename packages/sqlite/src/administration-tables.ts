/** The members of keys that came with spend limits. JSON as text; `log_content` is 0 or 1. */
export const keyMemberColumns = `
  ALTER TABLE tollgate_key ADD COLUMN spend TEXT;
  ALTER TABLE tollgate_key ADD COLUMN tags TEXT;
  ALTER TABLE tollgate_key ADD COLUMN log_content INTEGER CHECK (log_content IN (0, 1));
`;

/** The dialects of keys, as JSON. */
export const keyDialectsColumn = `
  ALTER TABLE tollgate_key ADD COLUMN dialects TEXT;
`;

/** The order of the acceptances of one version. */
export const acceptancesOfVersion = `
  CREATE INDEX tollgate_terms_acceptance_of_version ON tollgate_terms_acceptance (version_id, account);
`;

/** The order of the sessions of all accounts. */
export const newestSessions = `
  CREATE INDEX tollgate_session_of_all ON tollgate_session (created_at, id);
`;

/** The changes that operators made. States are JSON. */
export const auditLog = `
  CREATE TABLE tollgate_audit (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    before TEXT,
    after TEXT
  ) STRICT;
  CREATE INDEX tollgate_audit_actor ON tollgate_audit (actor, sequence);
  CREATE INDEX tollgate_audit_action ON tollgate_audit (action, sequence);
  CREATE INDEX tollgate_audit_subject ON tollgate_audit (subject, sequence);

  CREATE TRIGGER tollgate_audit_unchanging BEFORE UPDATE ON tollgate_audit
    BEGIN SELECT raise(ABORT, 'tollgate_audit is append-only: record another change'); END;
  CREATE TRIGGER tollgate_audit_undeleted BEFORE DELETE ON tollgate_audit
    BEGIN SELECT raise(ABORT, 'tollgate_audit is append-only: record another change'); END;
`;
