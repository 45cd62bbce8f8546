import { explained } from "./database-error.ts";
import { type Migration, migrations } from "./migrations.ts";
import type { PostgresConnection, PostgresPool } from "./pool.ts";
import { Row } from "./row.ts";
import { type Tables, tablesIn } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Brings the tables in the schema ("tollgate" when absent) to the state that this version needs, in one transaction
 * and under a lock, so that any number of processes may call it at once. A role that may not create tables can call
 * it when there is nothing left to do. It rejects when a newer version has been here.
 */
export async function migratePostgres(pool: PostgresPool, options: { readonly schema?: string } = {}): Promise<void> {
  const tables = tablesIn(options.schema);
  try {
    await inTransaction(pool, (connection) => migrate(connection, tables));
  } catch (error) {
    throw explained(error, tables.schema);
  }
}

async function migrate(connection: PostgresConnection, tables: Tables): Promise<void> {
  await connection.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    values: [`tollgate migration of ${tables.schema}`],
  });
  const done = await countDone(connection, tables);
  requireKnown(done, tables);
  for (const [at, migration] of migrations.entries()) {
    if (at >= done) await apply(connection, tables, at + 1, migration);
  }
}

function requireKnown(done: number, { schema }: Tables): void {
  if (done <= migrations.length) return;
  throw new Error(
    `The schema "${schema}" has had ${done} migrations, of which this version of @tollgate/postgres knows ` +
      `${migrations.length}. Deploy the version that made them, or give another schema.`,
  );
}

async function countDone(connection: PostgresConnection, tables: Tables): Promise<number> {
  // Asked first, since IF NOT EXISTS wants the right to create even where it finds what it is to make.
  const found = await connection.query({
    text: "SELECT to_regnamespace($1)::text AS schema, to_regclass($2)::text AS migration",
    values: [`"${tables.schema}"`, tables.migration],
  });
  const existing = new Row(found.rows[0]);
  if (existing.optionalText("migration") !== undefined) {
    const counted = await connection.query({ text: `SELECT count(*)::text AS done FROM ${tables.migration}` });
    return Number(new Row(counted.rows[0]).text("done"));
  }
  if (existing.optionalText("schema") === undefined) {
    await connection.query({ text: `CREATE SCHEMA "${tables.schema}"` });
  }
  await connection.query({
    text: `CREATE TABLE ${tables.migration} (
             number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  });
  return 0;
}

async function apply(connection: PostgresConnection, tables: Tables, number: number, step: Migration): Promise<void> {
  for (const text of step.statements(tables)) await connection.query({ text });
  await connection.query({
    text: `INSERT INTO ${tables.migration} (number, name) VALUES ($1, $2)`,
    values: [number, step.name],
  });
}
