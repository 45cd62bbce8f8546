import type { Tables } from "./schema.ts";

/** The members of keys that came with spend limits. Tags are JSON as text, since jsonb rejects \u0000. */
export function keyMemberColumns({ apiKey }: Tables): readonly string[] {
  return [`ALTER TABLE ${apiKey} ADD COLUMN spend jsonb, ADD COLUMN tags text, ADD COLUMN log_content boolean`];
}

/** The dialects of keys. */
export function keyDialectsColumn({ apiKey }: Tables): readonly string[] {
  return [`ALTER TABLE ${apiKey} ADD COLUMN dialects jsonb`];
}

/** The scopes of keys. */
export function keyScopesColumn({ apiKey }: Tables): readonly string[] {
  return [`ALTER TABLE ${apiKey} ADD COLUMN scopes jsonb`];
}

/** The order of the acceptances of one version, and of the sessions of all accounts. */
export function administrationIndexes({ termsAcceptance, session }: Tables): readonly string[] {
  return [
    `CREATE INDEX terms_acceptance_of_version ON ${termsAcceptance} (version_id, account_id)`,
    `CREATE INDEX session_of_all ON ${session} (created_at, id)`,
  ];
}

/** The changes that operators made. States are JSON as text, which keeps the digits of numbers. */
export function auditTable({ audit }: Tables): readonly string[] {
  const name = 'text COLLATE "C" NOT NULL';
  return [
    `CREATE TABLE ${audit} (
       sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       call text COLLATE "C" NOT NULL UNIQUE,
       at timestamptz NOT NULL,
       actor ${name},
       action ${name},
       subject ${name},
       before text,
       after text
     )`,
    ...["actor", "action", "subject"].map((column) => `CREATE INDEX audit_${column} ON ${audit} (${column}, sequence)`),
  ];
}
