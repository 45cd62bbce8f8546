import { expectConsistentLedger } from "./balance-store/consistency.ts";
import { type SharedStores, sharedContext } from "./shared-stores/context.ts";
import { existingHoldCases } from "./shared-stores/existing-holds.ts";
import { freezeCases } from "./shared-stores/freezes.ts";
import { keyCases } from "./shared-stores/keys.ts";
import { raceCases } from "./shared-stores/races.ts";
import { termsCases } from "./shared-stores/terms.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

export type { SharedStores } from "./shared-stores/context.ts";

/**
 * The suite for a BalanceStore that shares its database with keys and terms and checks them in the transaction of a
 * hold. Each case uses a new account with 1,000 nano-units and ends with a check of the ledger. It does not include the
 * suites of the three ports.
 */
export function sharedStoresContract(options: SuiteOptions<SharedStores>): void {
  const groups = {
    keys: keyCases,
    terms: termsCases,
    freezes: freezeCases,
    "existing holds": existingHoldCases,
    races: raceCases,
  };
  runSuite(options, "BalanceStore that checks keys and terms", groups, async (opened, check) => {
    const context = sharedContext(opened);
    await context.ledger.credit(1_000n);
    await check(context);
    await expectConsistentLedger(context.ledger);
  });
}
