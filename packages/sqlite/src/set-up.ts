import type { SqliteDatabase, SqliteStatement } from "./database.ts";
import { longestWaitMs } from "./lock-queue.ts";
import { isBusy } from "./sqlite-errors.ts";
import { Query } from "./statement.ts";

/**
 * Applies the settings that make a commit durable, and a long busy timeout for the migrations, when blocking does no
 * harm.
 */
export function setUp(database: SqliteDatabase): void {
  database.exec(`PRAGMA busy_timeout = ${longestWaitMs}`);
  requireBigInts(database);
  requireSafeLibrary(database);
  requireWriteAheadLog(database);
  database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
}

/**
 * Throws for SQLite before 3.51.3: it can lose committed writes when two connections write and checkpoint at once
 * (https://sqlite.org/wal.html#walresetbug).
 */
export function requireSafeLibrary(database: SqliteDatabase): void {
  const version = readText(database, "SELECT sqlite_version() AS version", "version");
  if (isAtLeast(version, [3, 51, 3])) return;
  throw new Error(
    `SQLite ${version} can lose committed writes when two connections use one file. Version 3.51.3 or newer is required. Update Node, which includes SQLite as node:sqlite, or open the database with @photostructure/sqlite 1.2.1 or newer.`,
  );
}

/** Throws for a driver whose statements cannot read integers as bigint, or only with another method. */
function requireBigInts(database: SqliteDatabase): void {
  const statement: Partial<SqliteStatement> = database.prepare("SELECT 1");
  if (typeof statement.setReadBigInts === "function") return;
  throw new TypeError(
    "The SQLite store got a database whose statements have no `setReadBigInts`, such as one of bun:sqlite or better-sqlite3. Pass a DatabaseSync of node:sqlite, which Bun and Deno have too, or of @photostructure/sqlite.",
  );
}

/** Applies the settings for normal operation: a call that finds a lock blocks the event loop for milliseconds only. */
export function setUpForUse(database: SqliteDatabase): void {
  database.exec("PRAGMA busy_timeout = 2");
}

function requireWriteAheadLog(database: SqliteDatabase): void {
  const mode = retryWhileBusy(() => readText(database, "PRAGMA journal_mode = WAL", "journal_mode"));
  // A database in memory has no file and so no write-ahead log.
  if (mode === "wal" || mode === "memory") return;
  throw new Error(
    `The SQLite database stays in journal mode "${mode}" and cannot use a write-ahead log. Move its file to a local disk where this process has write permission.`,
  );
}

/** SQLite ignores busy_timeout when two processes switch a new file to WAL at once, so this retries. */
function retryWhileBusy<T>(step: () => T): T {
  const deadline = performance.now() + longestWaitMs;
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      block(1 + Math.random() * 9);
    }
  }
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function readText(database: SqliteDatabase, sql: string, column: string): string {
  return new Query(database, sql, (row) => row.text(column)).first() ?? "";
}

function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, required] of minimum.entries()) {
    const part = parts[index] ?? 0;
    if (part !== required) return part > required;
  }
  return true;
}
