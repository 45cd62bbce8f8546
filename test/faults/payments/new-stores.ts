import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { migratePostgres } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import { Pool } from "pg";
import { inject, onTestFinished } from "vitest";
import type { StoreAddress } from "../processes/open-store.ts";

/** Creates migrated stores, which are removed when the test ends. */
export const newStores: Readonly<Record<"SQLite" | "PostgreSQL", () => Promise<StoreAddress>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-payments-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "acme.db");
    const database = new DatabaseSync(file);
    sqliteStores(database);
    database.close();
    return { kind: "sqlite", file };
  },
  async PostgreSQL() {
    const url = inject("postgres") ?? "";
    const schema = `payments_${crypto.randomUUID().slice(0, 8)}`;
    const pool = new Pool({ connectionString: url, max: 1 });
    await migratePostgres(pool, { schema });
    onTestFinished(async () => {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    });
    return { kind: "postgres", url, schema };
  },
};

/** Tells whether a kind of stores is available here. */
export const isAvailable = (kind: string): boolean => kind === "SQLite" || inject("postgres") !== undefined;
