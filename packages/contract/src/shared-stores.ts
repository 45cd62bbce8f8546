import { expectSoundBooks } from "./balance-store/context.ts";
import { type SharedStores, sharedContext } from "./shared-stores/context.ts";
import { keyCases } from "./shared-stores/keys.ts";
import { raceCases } from "./shared-stores/races.ts";
import { runningCases } from "./shared-stores/running.ts";
import { termsCases } from "./shared-stores/terms.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

export type { SharedStores } from "./shared-stores/context.ts";

/**
 * What holds of a BalanceStore that shares its database with keys and terms and checks them in the step of the hold.
 * Each case works on an account of its own with 1,000 nano-units, and ends by checking the books. The suites of the
 * three ports are not in it.
 */
export function sharedStoresContract(options: SuiteOptions<SharedStores>): void {
  const groups = {
    keys: keyCases,
    terms: termsCases,
    "holds that run": runningCases,
    races: raceCases,
  };
  runSuite(options, "BalanceStore that shares its database with keys and terms", groups, async (opened, check) => {
    const context = sharedContext(opened);
    await context.books.credit(1_000n);
    await check(context);
    await expectSoundBooks(context.books);
  });
}
