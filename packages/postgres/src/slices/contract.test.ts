import { balanceStoreContract } from "@tollgate/contract";
import { memoryBalanceStore } from "@tollgate/core";
import { describe, it } from "vitest";
import { sliceBalances } from "./sliced-balances.ts";

/** The cases that slices fail, by the difference that they show. In most others, the second hold takes a slice. */
const different: Readonly<Record<string, readonly string[]>> = {
  "what a slice has left is held": [
    "a repeated hold takes effect once",
    "50 parallel repetitions of one hold take effect once",
    "a repeated flexible hold returns what the first took, and its cost after it was settled",
    "settling one hold does not affect others",
    "a repeated release takes effect once",
    "releasing a settled hold is a conflict and has no effect",
    "a hold with a valid lease does not expire",
    "concurrent sweeps expire each hold once",
    "later holds of the window grant nothing, whatever the amount of the allowance is then",
    "exactly one of settlement, release and expiry takes effect",
    "a concurrent expiry and settlement charge the settlement's amount",
    "parallel settlements and releases let all of a lot expire that they do not take",
    "parallel charges, refunds, credits and debits of lots keep the ledger consistent",
  ],
  "a charge is posted when its slice ends, in one entry with others": [
    "the id of an answer selects the charges of the account that have it",
    "a charge takes from the lot that expires first, then from granted ones, then from paid money",
    "a late settlement that costs less returns money to the lots, the last one that paid first",
    "a charge is refunded once",
    "what came from a lot whose time has passed is granted for 7 days",
  ],
  // The gateway gives each request an id of its own, and holds it once.
  "an id whose hold has ended in the store is held again in a slice": [
    "a repeated hold has no effect after the hold was settled or released, and says so",
    "a repeated hold has no effect after the hold has expired, and can be settled late once",
  ],
};
const names = new Set(Object.values(different).flat());

balanceStoreContract({
  test: { describe, it: (name, check) => (names.has(name) ? undefined : it(name, check)) },
  create() {
    const { balances, close } = sliceBalances(memoryBalanceStore(), { amount: 10n, above: 0n });
    return { store: balances, close };
  },
});
