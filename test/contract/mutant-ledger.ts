import { type MemoryBalanceStore, memoryBalanceStore } from "@tollgate/core";
import { withOverrides } from "./failures.ts";

/** Returns the methods of a ledger that a mutation replaces. */
export type MutateLedger = (store: MemoryBalanceStore) => Partial<MemoryBalanceStore>;

/** Creates a ledger in memory with a mutation. */
export function mutantLedger(mutate: MutateLedger): MemoryBalanceStore {
  const store = memoryBalanceStore();
  return withOverrides<MemoryBalanceStore>(store, mutate(store));
}
