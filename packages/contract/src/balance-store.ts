import type { BalanceStore } from "@tollgate/core/store";
import { balanceContext, expectSoundBooks } from "./balance-store/context.ts";
import { entryCases } from "./balance-store/entries.ts";
import { expiryCases } from "./balance-store/expiry.ts";
import { holdCases } from "./balance-store/holds.ts";
import { postingCases } from "./balance-store/postings.ts";
import { raceCases } from "./balance-store/races.ts";
import { releaseCases, settlementCases } from "./balance-store/settlements.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/**
 * What every BalanceStore must satisfy. Each case works on an account of its own and ends by checking the books:
 * `verify` finds nothing, and the entries sum to what is posted. Leases are tens of milliseconds, so the suite runs
 * in a few seconds of real time.
 */
export function balanceStoreContract(options: SuiteOptions<BalanceStore>): void {
  const groups = {
    hold: holdCases,
    settle: settlementCases,
    release: releaseCases,
    "renew and expire": expiryCases,
    "credit and debit": postingCases,
    entries: entryCases,
    races: raceCases,
  };
  runSuite(options, "BalanceStore", groups, async (opened, check) => {
    const context = balanceContext(opened);
    await check(context);
    await expectSoundBooks(context);
  });
}
