import type { BalanceStore } from "@tollgate/core/store";
import { balanceContext, expectConsistentLedger } from "./balance-store/context.ts";
import { entryCases } from "./balance-store/entries.ts";
import { expiryCases } from "./balance-store/expiry.ts";
import { flexibleHoldCases } from "./balance-store/flexible-holds.ts";
import { holdCases } from "./balance-store/holds.ts";
import { postingCases } from "./balance-store/postings.ts";
import { raceCases } from "./balance-store/races.ts";
import { receiptCases } from "./balance-store/receipts.ts";
import { releaseCases, settlementCases } from "./balance-store/settlements.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/**
 * The suite for every BalanceStore. Each case uses a new account and ends with a check of the ledger: `verify` reports
 * nothing, and the entries sum to the posted balance. Leases are tens of milliseconds, so the suite takes a few
 * seconds.
 */
export function balanceStoreContract(options: SuiteOptions<BalanceStore>): void {
  const groups = {
    hold: holdCases,
    "hold of a flexible amount": flexibleHoldCases,
    settle: settlementCases,
    release: releaseCases,
    "renew and expire": expiryCases,
    "credit and debit": postingCases,
    entries: entryCases,
    receipts: receiptCases,
    races: raceCases,
  };
  runSuite(options, "BalanceStore", groups, async (opened, check) => {
    const context = balanceContext(opened);
    await check(context);
    await expectConsistentLedger(context);
  });
}
