import {
  acceptancesOfVersion,
  auditLog,
  keyDialectsColumn,
  keyMemberColumns,
  newestSessions,
} from "./administration-tables.ts";
import { chargedSpend, flexibleHolds, keyLimitsColumn } from "./charged-tables.ts";
import type { SqliteDatabase } from "./database.ts";
import { forgettableCharges } from "./forgetting-tables.ts";
import { entryIndexes, receiptTables, spendModelColumns, spendTables, tokenCaps } from "./ledger-tables.ts";
import { hostCharges, keyScopesColumn, lotEntries, lotTables, totalTables } from "./lot-tables.ts";
import { noticeTables, outboxTables } from "./notice-tables.ts";
import { paymentProblemIndex, paymentTables } from "./payment-tables.ts";
import { responseTables } from "./response-tables.ts";
import { sessionTables } from "./session-tables.ts";
import { sessionUsageTables } from "./session-usage-tables.ts";
import { Command, Query } from "./statement.ts";
import { usageAccountTables } from "./usage-account-tables.ts";
import { usageAttemptTables } from "./usage-attempt-tables.ts";
import { usageTables } from "./usage-tables.ts";

/**
 * Migrates the tables to this version, inside the caller's transaction. Throws when a newer version has migrated them.
 */
export function migrate(database: SqliteDatabase): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS tollgate_migration (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
  );
  const newest = new Query(database, "SELECT coalesce(max(version), 0) AS newest FROM tollgate_migration", (row) =>
    Number(row.integer("newest")),
  );
  const current = newest.first() ?? 0;
  requireKnownVersion(current);
  const recordVersion = new Command(database, "INSERT INTO tollgate_migration (version, applied_at) VALUES (?, ?)");
  for (const [index, sql] of migrations.entries()) {
    const version = index + 1;
    if (version <= current) continue;
    database.exec(sql);
    recordVersion.run(version, Date.now());
  }
}

function requireKnownVersion(version: number): void {
  if (version <= migrations.length) return;
  throw new Error(
    `This SQLite database is at version ${version} of the tollgate_ tables, and this @tollgate/sqlite knows ${migrations.length}. Update @tollgate/sqlite here as well.`,
  );
}

const keysAndTerms = `
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
  CREATE INDEX tollgate_key_account ON tollgate_key (account, position);

  CREATE TABLE tollgate_terms_acceptance (
    account TEXT NOT NULL,
    version_id TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (account, version_id)
  ) STRICT, WITHOUT ROWID;
`;

const ledger = `
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
  CREATE INDEX tollgate_hold_due ON tollgate_hold (expires_at) WHERE state = 'pending';

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
  CREATE INDEX tollgate_entry_account ON tollgate_entry (account, sequence);

  CREATE TRIGGER tollgate_entry_unchanging BEFORE UPDATE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
  CREATE TRIGGER tollgate_entry_undeleted BEFORE DELETE ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
`;

/** The migrations in order; the first is version 1. A published migration never changes. New ones are appended. */
const migrations: readonly string[] = [
  keysAndTerms + ledger,
  sessionTables,
  sessionUsageTables,
  keyMemberColumns,
  acceptancesOfVersion + newestSessions + auditLog,
  receiptTables,
  usageTables,
  spendTables,
  noticeTables,
  responseTables,
  keyDialectsColumn,
  usageAttemptTables,
  flexibleHolds + chargedSpend + keyLimitsColumn,
  entryIndexes,
  hostCharges + lotEntries + lotTables + totalTables + keyScopesColumn + spendModelColumns,
  usageAccountTables,
  outboxTables,
  tokenCaps,
  paymentTables,
  forgettableCharges,
  paymentProblemIndex,
];
