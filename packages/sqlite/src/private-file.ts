import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the file of a new database readable by this user alone (mode 600, and 700 for the folders that it makes) and
 * returns its path: `new DatabaseSync(privateFile("data/tollgate.db"))`. SQLite gives the files beside it the same mode.
 * A file or folder that is there already keeps its mode. Throws what the file system throws.
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
