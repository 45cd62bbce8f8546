import { isDeepStrictEqual } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import type { BalanceStore } from "@tollgate/core/store";
import { type SqliteDatabase, sqliteBalanceStore } from "@tollgate/sqlite";
import { vi } from "vitest";
import { type ExpectedRun, readState } from "./expected-run.ts";
import { operate, operationCount, timeOf } from "./operations.ts";

/**
 * Opens the file of a killed run and returns what is wrong with it, each in one sentence. The ledger must be as after the
 * operations that were acknowledged, or as after one more, which was in flight. Then the run is continued: the operation in
 * flight is repeated, the others follow, and at the end nothing may be missing or there twice. Needs a fake clock.
 */
export async function problemsOfFile(
  file: string,
  acknowledged: readonly string[],
  expected: ExpectedRun,
): Promise<readonly string[]> {
  const database = new DatabaseSync(file);
  try {
    const { length } = acknowledged;
    const store = sqliteBalanceStore(database);
    return [
      ...(isDeepStrictEqual(acknowledged, expected.outcomes.slice(0, length))
        ? []
        : ["An operation had another outcome."]),
      ...integrityProblems(database),
      ...(await reopeningProblems(store, length, expected)),
      ...(await continuationProblems(store, length, expected)),
    ];
  } finally {
    database.close();
  }
}

function integrityProblems(database: SqliteDatabase): string[] {
  const found = JSON.stringify(database.prepare("PRAGMA integrity_check").all());
  return found === '[{"integrity_check":"ok"}]' ? [] : [`The file is damaged: ${found}.`];
}

async function reopeningProblems(
  store: BalanceStore,
  acknowledged: number,
  { states }: ExpectedRun,
): Promise<string[]> {
  const violations = (await store.verify()).map(({ problem }) => problem);
  for (const operations of [acknowledged, acknowledged + 1]) {
    vi.setSystemTime(timeOf(Math.max(0, operations - 1)));
    if (isDeepStrictEqual(await readState(store), states[operations])) return violations;
  }
  return [
    ...violations,
    `After ${acknowledged} acknowledged operations, the ledger has more or less than their effects.`,
  ];
}

async function continuationProblems(store: BalanceStore, from: number, { states }: ExpectedRun): Promise<string[]> {
  for (let operation = from; operation < operationCount; operation++) {
    vi.setSystemTime(timeOf(operation));
    await operate(store, operation);
  }
  const violations = (await store.verify()).map(({ problem }) => `At the end: ${problem}`);
  if (isDeepStrictEqual(await readState(store), states[operationCount])) return violations;
  return [
    ...violations,
    "At the end of the continued run, the ledger has more or less than the effects of its operations.",
  ];
}
