import type { Pool } from "pg";
import { afterAll } from "vitest";
import { migrations } from "../src/migrations.ts";
import { tablesIn } from "../src/schema.ts";

/** Schemas of one group of tests, which are dropped after the last. */
export interface OlderSchemas {
  /** Returns a new name. */
  newSchema(): string;
  /** Creates a schema with the first migrations only, as an older version left it. */
  migrateTo(version: number, name: string): Promise<void>;
}

/** Creates schemas of older versions on a server. Their names begin as the given one does. */
export function olderSchemas(server: Pool, schema: string): OlderSchemas {
  const names: string[] = [];
  afterAll(async () => {
    for (const name of names) await server.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
  });
  return {
    newSchema: () => {
      const name = `${schema.slice(0, 20)}_${names.length}`;
      names.push(name);
      return name;
    },
    migrateTo: async (version, name) => {
      const tables = tablesIn(name);
      await server.query(`CREATE SCHEMA "${name}"`);
      await server.query(`CREATE TABLE ${tables.migration} (
        number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
      for (const [index, step] of migrations.slice(0, version).entries()) {
        await server.query(["BEGIN", ...step.statements(tables), "COMMIT"].join(";\n"));
        await server.query(`INSERT INTO ${tables.migration} (number, name) VALUES ($1, $2)`, [index + 1, step.name]);
      }
    },
  };
}

/** The number of the migrations before the named one. */
export const migrationsBefore = (name: string): number => migrations.findIndex((step) => step.name === name);
