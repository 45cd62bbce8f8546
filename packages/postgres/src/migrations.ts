import {
  administrationIndexes,
  auditTable,
  keyDialectsColumn,
  keyMemberColumns,
  keyScopesColumn,
} from "./administration-tables.ts";
import { chargedSpend, flexibleHolds, keyLimits, limitedModels } from "./charged-tables.ts";
import { entryFeedIndex, entryIndexes, receiptTables, spendTables, tokenCaps } from "./ledger-tables.ts";
import { limitTables } from "./limit-tables.ts";
import { lotTables } from "./lot-tables.ts";
import { noticeTables } from "./notice-tables.ts";
import { outboxTables } from "./outbox-tables.ts";
import { paymentProblemIndex, paymentTables } from "./payment-tables.ts";
import { responseTables } from "./response-tables.ts";
import type { Tables } from "./schema.ts";
import { describedHolds } from "./statements/forgetting.ts";
import { usageAccountTables } from "./usage-account-tables.ts";
import { usageAttemptTables } from "./usage-attempt-tables.ts";
import { usageTables } from "./usage-tables.ts";

/** One migration. A released migration never changes; later changes are new migrations. */
export interface Migration {
  readonly name: string;
  statements(tables: Tables): readonly string[];
}

/** All migrations in order. The number of a migration is its position in this list, from 1. */
export const migrations: readonly Migration[] = [
  { name: "accounts, holds and entries", statements: ledgerTables },
  { name: "keys", statements: keyTables },
  { name: "terms", statements: termsTables },
  { name: "sessions", statements: sessionTables },
  { name: "what accounts have of sessions", statements: sessionUsageTables },
  { name: "spend limits and tags of keys", statements: keyMemberColumns },
  { name: "lists of acceptances and sessions", statements: administrationIndexes },
  { name: "audit log", statements: auditTable },
  { name: "receipts", statements: receiptTables },
  { name: "usage", statements: usageTables },
  { name: "spend limits", statements: spendTables },
  { name: "notices", statements: noticeTables },
  { name: "responses", statements: responseTables },
  { name: "dialects of keys", statements: keyDialectsColumn },
  { name: "attempts by target, and ids of answers", statements: usageAttemptTables },
  {
    name: "flexible holds, notices of charges, and limits of rotated keys",
    statements: (tables) => [...flexibleHolds(tables), ...chargedSpend(tables), ...keyLimits(tables)],
  },
  { name: "entries by time and kind", statements: entryIndexes },
  { name: "limits", statements: limitTables },
  { name: "scopes of keys", statements: keyScopesColumn },
  { name: "lots, totals, refunds and charges of the host", statements: lotTables },
  { name: "usage of accounts", statements: usageAccountTables },
  { name: "models of spend limits", statements: limitedModels },
  { name: "notices of money and freezes", statements: outboxTables },
  { name: "caps of tokens", statements: tokenCaps },
  { name: "payments and automatic top-ups", statements: paymentTables },
  { name: "descriptions of charges to forget", statements: describedHolds },
  { name: "payments with a problem", statements: paymentProblemIndex },
  { name: "entries by sequence", statements: entryFeedIndex },
];

// Ids compare by bytes, so the result does not depend on a locale, and an upgrade of the locale does not break an
// index.
const id = `text COLLATE "C"`;
// Whole milliseconds, like a JavaScript Date, so that a time reads back unchanged.
const moment = "date_trunc('milliseconds', clock_timestamp())";

function ledgerTables({ account, hold, entry }: Tables): readonly string[] {
  return [
    // Free space in each page and an eager vacuum, because a busy account is updated thousands of times a second.
    `CREATE TABLE ${account} (
       id ${id} PRIMARY KEY,
       posted bigint NOT NULL DEFAULT 0,
       held bigint NOT NULL DEFAULT 0 CHECK (held >= 0)
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`,
    // No foreign keys: every writer has locked the account's row, and a check would cost one lookup per row.
    `CREATE TABLE ${hold} (
       id ${id} PRIMARY KEY,
       account_id ${id} NOT NULL,
       key_id ${id} NOT NULL,
       amount bigint NOT NULL CHECK (amount >= 0),
       used bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
       charged bigint NOT NULL DEFAULT 0 CHECK (charged >= 0),
       state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'settled', 'released', 'expired')),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       expires_at timestamptz NOT NULL,
       ended_at timestamptz
     ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
    `CREATE INDEX hold_due ON ${hold} (expires_at) WHERE state = 'pending'`,
    `CREATE TABLE ${entry} (
       sequence bigint GENERATED ALWAYS AS IDENTITY,
       account_id ${id} NOT NULL,
       kind text COLLATE "C" NOT NULL CHECK (kind IN ('credit', 'debit', 'charge', 'expiry', 'late')),
       amount bigint NOT NULL CHECK (amount <> 0),
       reference ${id} NOT NULL,
       reason text,
       at timestamptz NOT NULL DEFAULT ${moment},
       PRIMARY KEY (account_id, sequence)
     )`,
    // Credits and debits share one id space. A hold has at most one entry of each kind.
    `CREATE UNIQUE INDEX entry_of_posting ON ${entry} (reference) WHERE kind IN ('credit', 'debit')`,
    `CREATE UNIQUE INDEX entry_of_hold ON ${entry} (reference, kind) WHERE kind IN ('charge', 'expiry', 'late')`,
  ];
}

function keyTables({ apiKey }: Tables): readonly string[] {
  return [
    `CREATE TABLE ${apiKey} (
       id ${id} PRIMARY KEY,
       sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
       digest ${id} NOT NULL UNIQUE,
       account_id ${id} NOT NULL,
       plan text NOT NULL,
       name text,
       last_four text NOT NULL,
       models jsonb,
       features jsonb,
       limits jsonb,
       created_at timestamptz NOT NULL DEFAULT ${moment},
       expires_at timestamptz,
       revoked_at timestamptz,
       rotated_from ${id}
     )`,
    `CREATE INDEX api_key_of_account ON ${apiKey} (account_id, sequence)`,
  ];
}

function termsTables({ termsAcceptance }: Tables): readonly string[] {
  return [
    `CREATE TABLE ${termsAcceptance} (
       account_id ${id} NOT NULL,
       version_id ${id} NOT NULL,
       accepted_at timestamptz NOT NULL DEFAULT ${moment},
       PRIMARY KEY (account_id, version_id)
     )`,
  ];
}

function sessionTables({ session, sessionMessage, sessionImages, sessionLog }: Tables): readonly string[] {
  // Foreign keys, unlike in the ledger: the rows of a session must be deleted in the snapshot in which the session is.
  const ofSession = `session_id ${id} NOT NULL REFERENCES ${session} ON DELETE CASCADE`;
  return [
    // JSON is stored as text: jsonb rejects \u0000 and changes the order of members and the notation of numbers.
    `CREATE TABLE ${session} (
       id ${id} PRIMARY KEY,
       account_id ${id} NOT NULL,
       assistant_id text NOT NULL,
       client_data text NOT NULL,
       version ${id} NOT NULL,
       ttl_ms bigint NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       turn_id ${id},
       turn_ends_at timestamptz,
       turn_call ${id},
       turns bigint NOT NULL DEFAULT 0,
       last_message bigint NOT NULL DEFAULT 0,
       last_log bigint NOT NULL DEFAULT 0
     ) WITH (fillfactor = 70)`,
    `CREATE INDEX session_due ON ${session} (expires_at)`,
    `CREATE TABLE ${sessionMessage} (
       ${ofSession},
       sequence bigint NOT NULL,
       turn bigint NOT NULL,
       at timestamptz NOT NULL,
       message text NOT NULL,
       PRIMARY KEY (session_id, sequence)
     )`,
    `CREATE TABLE ${sessionImages} (
       ${ofSession},
       turn bigint NOT NULL,
       urls text NOT NULL,
       PRIMARY KEY (session_id, turn)
     )`,
    `CREATE TABLE ${sessionLog} (
       ${ofSession},
       sequence bigint NOT NULL,
       call ${id} NOT NULL UNIQUE,
       log text NOT NULL,
       PRIMARY KEY (session_id, sequence)
     )`,
  ];
}

/** Sessions and bytes that older versions add after this migration are not counted, so update every process. */
function sessionUsageTables({ session, sessionMessage, sessionImages, sessionLog, sessionAccount }: Tables) {
  const sizeOf = (table: string, column: string) =>
    `(SELECT coalesce(sum(octet_length(${column})), 0) FROM ${table} WHERE session_id = session.id)`;
  return [
    // The bytes of client data, messages, images and logs.
    `ALTER TABLE ${session} ADD COLUMN bytes bigint NOT NULL DEFAULT 0`,
    `UPDATE ${session} AS session SET bytes = octet_length(client_data)
       + ${sizeOf(sessionMessage, "message")} + ${sizeOf(sessionImages, "urls")} + ${sizeOf(sessionLog, "log")}`,
    `CREATE TABLE ${sessionAccount} (
       account_id ${id} PRIMARY KEY,
       sessions bigint NOT NULL,
       bytes bigint NOT NULL
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`,
    `INSERT INTO ${sessionAccount} (account_id, sessions, bytes)
     SELECT account_id, count(*), sum(bytes) FROM ${session} GROUP BY account_id`,
    `CREATE INDEX session_newest ON ${session} (account_id, created_at, id)`,
    `CREATE INDEX session_account_due ON ${session} (account_id, expires_at)`,
  ];
}
