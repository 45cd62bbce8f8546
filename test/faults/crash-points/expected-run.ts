import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { vi } from "vitest";
import { stateOf } from "../../support/lot-steps.ts";
import { operate, operationCount, timeOf } from "./operations.ts";

/** What a reader sees of a ledger, as values of JSON: stores differ in members that are undefined. */
type LedgerState = unknown;

/** Reads the balance, the lots and the entries of the account. */
export const readState = async (store: BalanceStore): Promise<LedgerState> =>
  JSON.parse(
    JSON.stringify(await stateOf(store, "run"), (_, value) => (typeof value === "bigint" ? `${value}n` : value)),
  );

/** A run without a kill, as the memory store takes it. */
export interface ExpectedRun {
  /** The outcome of each operation. */
  readonly outcomes: readonly string[];
  /** What a reader sees after so many operations, at the time of the last one. */
  readonly states: readonly LedgerState[];
}

/** Takes all operations in memory. The process needs a fake clock, which this sets. */
export async function expectedRun(): Promise<ExpectedRun> {
  const store = memoryBalanceStore();
  vi.setSystemTime(timeOf(0));
  const outcomes: string[] = [];
  const states: LedgerState[] = [await readState(store)];
  for (let operation = 0; operation < operationCount; operation++) {
    vi.setSystemTime(timeOf(operation));
    outcomes.push(await operate(store, operation));
    states.push(await readState(store));
  }
  return { outcomes, states };
}
