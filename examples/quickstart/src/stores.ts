import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { privateFile, type SqliteStores, sqliteStores } from "@tollgate/sqlite";

/** The stores of the quickstart, kept in one file. */
export interface QuickstartStores extends SqliteStores {
  readonly file: string;
  /** True when `QUICKSTART_DATA` chose the folder of the file. */
  readonly isElsewhere: boolean;
  close(): void;
}

const usualFolder = fileURLToPath(new URL("../../../.tollgate", import.meta.url));

/** Opens `quickstart.db` in the folder that `QUICKSTART_DATA` names, else in `.tollgate` at the root of the repository. */
export function openStores(environment: Readonly<Record<string, string | undefined>>): QuickstartStores {
  const chosen = environment["QUICKSTART_DATA"];
  const folder = resolve(chosen || usualFolder);
  const file = join(folder, "quickstart.db");
  try {
    const database = new DatabaseSync(privateFile(file));
    return { ...sqliteStores(database), file, isElsewhere: Boolean(chosen), close: () => closeWhole(database) };
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/** Leaves everything in the one file, so that whoever copies it has it all. */
function closeWhole(database: InstanceType<typeof DatabaseSync>): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** The error of a file that cannot be opened, or turns out to be damaged, with what to do. */
export function unusable(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
  return new Error(
    `${file} cannot be used: ${reason}. Set QUICKSTART_DATA to a folder on a local disk where you may write, or move quickstart.db* away to begin anew.`,
    { cause },
  );
}
