import { alternate, type Rounds } from "../rounds.ts";
import { openStore, type StoreName } from "./contenders.ts";
import { type Load, measurePairsOf } from "./pairs.ts";

/** Pairs of hold and settlement a second. */
export interface StoreResults {
  /** All callers on one account. */
  readonly hot: Rounds<StoreName, number>;
  /** The callers spread over 1,000 accounts. */
  readonly spread: Rounds<StoreName, number>;
}

/** The stores, in the order of the table. */
export const storeNames: readonly StoreName[] = ["memory", "sqlite", "postgres", "postgres, unbatched"];

const callers = 64;

/** Measures every store in turn, each round in a fresh one. */
export async function measureStores(rounds: number, seconds: number): Promise<StoreResults> {
  const measure = (accounts: number) =>
    alternate(storeNames, rounds, (name) => measureOne(name, { callers, accounts, seconds }));
  return { hot: await measure(1), spread: await measure(1_000) };
}

async function measureOne(name: StoreName, load: Load): Promise<number> {
  const { store, close } = await openStore[name]();
  try {
    return await measurePairsOf({ balances: store }, load);
  } finally {
    await close();
  }
}
