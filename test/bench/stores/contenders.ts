import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { migratePostgres, postgresBalanceStore } from "@tollgate/postgres";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import pg from "pg";

/** A store that is measured. */
export type StoreName = "memory" | "sqlite" | "postgres" | "postgres, unbatched";

/** An empty store, and what removes it. */
export interface OpenedStore {
  readonly store: BalanceStore;
  close(): void | Promise<void>;
}

const databaseUrl = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** Opens a store by its name: SQLite in a file of its own, PostgreSQL in a schema of its own, with 16 connections. */
export const openStore: Readonly<Record<StoreName, () => OpenedStore | Promise<OpenedStore>>> = {
  memory: () => ({ store: memoryBalanceStore(), close: () => undefined }),
  sqlite: openSqlite,
  postgres: () => openPostgres(true),
  "postgres, unbatched": () => openPostgres(false),
};

function openSqlite(): OpenedStore {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const database = new DatabaseSync(join(folder, "bench.db"));
  const close = () => {
    database.close();
    rmSync(folder, { recursive: true });
  };
  return { store: sqliteBalanceStore(database), close };
}

async function openPostgres(batching: boolean): Promise<OpenedStore> {
  const schema = `bench_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 }).on("error", () => undefined);
  await migratePostgres(pool, { schema });
  const close = async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  };
  return { store: postgresBalanceStore(pool, { schema, batching }), close };
}
