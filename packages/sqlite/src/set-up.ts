import type { SqliteDatabase } from "./database.ts";
import { longestWaitMs } from "./lock-queue.ts";
import { isBusy } from "./sqlite-errors.ts";
import { Query } from "./statement.ts";

/** Settings that make a commit durable, and patience for the migrations: the process has nothing else to do yet. */
export function setUp(database: SqliteDatabase): void {
  database.exec(`PRAGMA busy_timeout = ${longestWaitMs}`);
  requireSafeLibrary(database);
  requireWriteAheadLog(database);
  database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
}

/**
 * Refuses SQLite before 3.51.3: it can lose committed writes when two connections write and checkpoint at once
 * (https://sqlite.org/wal.html#walresetbug).
 */
export function requireSafeLibrary(database: SqliteDatabase): void {
  const version = readText(database, "SELECT sqlite_version() AS version", "version");
  if (isAtLeast(version, [3, 51, 3])) return;
  throw new Error(
    `SQLite ${version} can lose committed writes when two connections use one file; 3.51.3 is the first that cannot. Update Node, which brings SQLite along in node:sqlite, or open the database with @photostructure/sqlite 1.2.1 or newer.`,
  );
}

/** Settings for the time after the start: a call that meets a lock gives the event loop back within milliseconds. */
export function setUpForUse(database: SqliteDatabase): void {
  database.exec("PRAGMA busy_timeout = 2");
}

function requireWriteAheadLog(database: SqliteDatabase): void {
  const mode = patiently(() => readText(database, "PRAGMA journal_mode = WAL", "journal_mode"));
  // A database in memory has no file to keep a log beside.
  if (mode === "wal" || mode === "memory") return;
  throw new Error(
    `The SQLite database stays in journal mode "${mode}" and cannot use a write-ahead log. Keep its file on a local disk where this process may write.`,
  );
}

/** Turning a new file to WAL is refused at once when another process does it too: there SQLite does not heed busy_timeout. */
function patiently<T>(step: () => T): T {
  const until = performance.now() + longestWaitMs;
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
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

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [at, wanted] of least.entries()) {
    const part = parts[at] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
