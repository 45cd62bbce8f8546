import { writeSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { operate, operationCount, timeOf } from "../crash-points/operations.ts";
import { answeringEarly, settlingInTwo } from "./commit-faults.ts";

/** A fault that can be seeded in the commits of the store, to check that it is detected. */
export type CommitFault = keyof typeof faults;

/** The task of a process that takes all operations on a file, and writes the outcome of each to its standard output. */
export interface CrashTask {
  readonly file: string;
  readonly fault?: CommitFault | undefined;
}

const faults = {
  "answers before the commit": answeringEarly,
  "a settlement in two transactions": settlingInTwo,
} as const;

async function run({ file, fault }: CrashTask): Promise<void> {
  const database = new DatabaseSync(file);
  const store = sqliteBalanceStore(fault === undefined ? database : faults[fault](database));
  // With so few pages between two checkpoints, a kill often meets one.
  database.exec("PRAGMA wal_autocheckpoint = 5");
  let now = timeOf(0);
  Date.now = () => now;
  for (let operation = 0; operation < operationCount; operation++) {
    now = timeOf(operation);
    // Synchronous, so that an outcome is in the pipe before the next operation begins.
    writeSync(1, `${await operate(store, operation)}\n`);
  }
}

void run(JSON.parse(process.argv[2] ?? ""));
