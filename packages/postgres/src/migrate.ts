import { requireKnown, TextRow } from "@tollgate/core/internal";
import { describedError } from "./database-error.ts";
import { type Migration, migrations } from "./migrations.ts";
import type { PostgresConnection, PostgresPool } from "./pool.ts";
import { type Tables, tablesIn } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Migrates the tables in the schema ("tollgate" by default) to this version, under a lock, so that any number of processes
 * can call it at the same time. Each migration is a transaction of its own, which locks only the tables that it changes.
 * When no migration is left, it needs no permission to create tables. Rejects when a newer version has migrated the schema.
 */
export async function migratePostgres(pool: PostgresPool, options: { readonly schema?: string } = {}): Promise<void> {
  requireKnown("migratePostgres", options, { schema: true });
  const tables = tablesIn(options.schema);
  await migrateSet(pool, tables, { migrations, applied: tables.migration });
}

/** Migrations of one schema that are counted in a table of their own. */
export interface MigrationSet {
  /** In order. The number of a migration is its position in this list, from 1. */
  readonly migrations: readonly Migration[];
  /** The table of those that were applied. */
  readonly applied: string;
}

/** Applies the migrations of a set that are left, as {@link migratePostgres} does. */
export async function migrateSet(pool: PostgresPool, tables: Tables, set: MigrationSet): Promise<void> {
  try {
    while (await inTransaction(pool, (connection) => migrateOnce(connection, tables, set)));
  } catch (error) {
    throw describedError(error, tables.schema);
  }
}

/** Applies the next migration. Resolves to true if others are left. */
async function migrateOnce(connection: PostgresConnection, tables: Tables, set: MigrationSet): Promise<boolean> {
  await connection.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    values: [`tollgate migration of ${tables.schema}`],
  });
  const applied = await countApplied(connection, tables, set.applied);
  requireKnownVersion(applied, set.migrations.length, tables);
  const next = set.migrations[applied];
  if (next === undefined) return false;
  for (const text of next.statements(tables)) await connection.query({ text });
  await connection.query({
    text: `INSERT INTO ${set.applied} (number, name) VALUES ($1, $2)`,
    values: [applied + 1, next.name],
  });
  return applied + 1 < set.migrations.length;
}

function requireKnownVersion(applied: number, known: number, { schema }: Tables): void {
  if (applied <= known) return;
  throw new Error(
    `The schema "${schema}" has ${applied} migrations, but this version of @tollgate/postgres has only ` +
      `${known}. Deploy a newer version of @tollgate/postgres, or use another schema.`,
  );
}

async function countApplied(connection: PostgresConnection, tables: Tables, table: string): Promise<number> {
  // A separate check, because CREATE IF NOT EXISTS requires the permission to create even when the object exists.
  const found = await connection.query({
    text: "SELECT to_regnamespace($1)::text AS schema, to_regclass($2)::text AS migration",
    values: [`"${tables.schema}"`, table],
  });
  const existing = new TextRow(found.rows[0]);
  if (existing.optionalText("migration") !== undefined) {
    const counted = await connection.query({ text: `SELECT count(*)::text AS applied FROM ${table}` });
    return Number(new TextRow(counted.rows[0]).text("applied"));
  }
  if (existing.optionalText("schema") === undefined) {
    await connection.query({ text: `CREATE SCHEMA "${tables.schema}"` });
  }
  await connection.query({
    text: `CREATE TABLE ${table} (
             number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  });
  return 0;
}
