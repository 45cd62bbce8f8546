import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the file of a new database with mode 600, and missing folders with mode 700, and returns its path:
 * `new DatabaseSync(privateFile("data/tollgate.db"))`. SQLite gives its WAL files the mode of the database. An existing
 * file or folder keeps its mode. Throws the errors of the file system.
 */
export function privateFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return path;
}
