import { alternate, type Rounds } from "../rounds.ts";
import { measureStorage, type StorageResult } from "./measure-storage.ts";
import { openPostgresYear } from "./postgres-year.ts";
import { measureRecording } from "./recording-overhead.ts";
import { openSqliteYear } from "./sqlite-year.ts";

/** A database whose store of usage is measured. */
export type UsageDatabase = "postgres" | "sqlite";

/** The databases, in the order of the table. */
export const usageDatabases: readonly UsageDatabase[] = ["postgres", "sqlite"];

/** What the recording of usage adds to a request, in microseconds, in each round; and what a year of rows takes. */
export interface UsageResults {
  readonly recording: Rounds<"request", number>;
  readonly storage: Rounds<UsageDatabase, StorageResult>;
}

const slices = 20;

/** Measures the recording in this process, and each store once. SQLite has a tenth of the rows. */
export async function measureUsage(rounds: number, rows: number): Promise<UsageResults> {
  const ofSqlite = Math.ceil(rows / 10);
  const measure = {
    postgres: () => measureStorage(() => openPostgresYear(rows)),
    sqlite: () => measureStorage(() => openSqliteYear(ofSqlite)),
  };
  return {
    recording: await alternate(["request"], rounds, () => measureRecording(slices)),
    storage: await alternate(usageDatabases, 1, (name) => measure[name]()),
  };
}
