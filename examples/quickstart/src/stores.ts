import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { privateFile, type SqliteStores, sqliteStores } from "@tollgate/sqlite";

/** The stores of the quickstart, all in one file. */
export interface QuickstartStores extends SqliteStores {
  readonly file: string;
  /** Whether `QUICKSTART_DATA` sets the folder of the file. */
  readonly isElsewhere: boolean;
  close(): void;
}

const defaultFolder = fileURLToPath(new URL("../../../.tollgate", import.meta.url));

/** Opens `quickstart.db` in the folder `QUICKSTART_DATA`, or by default in `.tollgate` at the root of the repository. */
export function openStores(environment: Readonly<Record<string, string | undefined>>): QuickstartStores {
  const chosen = environment["QUICKSTART_DATA"];
  const folder = resolve(chosen || defaultFolder);
  const file = join(folder, "quickstart.db");
  try {
    const database = new DatabaseSync(privateFile(file));
    return { ...sqliteStores(database), file, isElsewhere: Boolean(chosen), close: () => checkpointAndClose(database) };
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/** Moves the write-ahead log into the database file, so that a copy of the file is complete. */
function checkpointAndClose(database: InstanceType<typeof DatabaseSync>): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Creates the error for a file that cannot be opened or is damaged. Its message says what to do. */
export function unusable(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
  return new Error(
    `${file} cannot be used: ${reason}. Set QUICKSTART_DATA to a folder on a local disk where you may write, or move quickstart.db* away to start over.`,
    { cause },
  );
}
