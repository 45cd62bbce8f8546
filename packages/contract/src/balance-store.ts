import type { BalanceStore } from "@tollgate/core/store";
import { allowanceCases } from "./balance-store/allowances.ts";
import { expectConsistentLedger } from "./balance-store/consistency.ts";
import { balanceContext } from "./balance-store/context.ts";
import { entryCases } from "./balance-store/entries.ts";
import { expiryCases } from "./balance-store/expiry.ts";
import { flexibleHoldCases } from "./balance-store/flexible-holds.ts";
import { holdCases } from "./balance-store/holds.ts";
import { hostChargeCases } from "./balance-store/host-charges.ts";
import { lapseCases } from "./balance-store/lapses.ts";
import { lotRaceCases } from "./balance-store/lot-races.ts";
import { lotCases } from "./balance-store/lots.ts";
import { postingCases } from "./balance-store/postings.ts";
import { raceCases } from "./balance-store/races.ts";
import { receiptCases } from "./balance-store/receipts.ts";
import { refundCases } from "./balance-store/refunds.ts";
import { releaseCases, settlementCases } from "./balance-store/settlements.ts";
import { totalCases } from "./balance-store/totals.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/**
 * The suite for every BalanceStore. Each case uses a new account and ends with a check of the ledger: `verify` reports
 * nothing, and the entries explain the balance. Leases are tens of milliseconds, so the suite takes a few seconds. Windows
 * of allowances are months, so a run at midnight on the first of a month can fail.
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
    "charges of the host": hostChargeCases,
    lots: lotCases,
    "expiry of lots": lapseCases,
    allowances: allowanceCases,
    refund: refundCases,
    totals: totalCases,
    races: raceCases,
    "races of lots": lotRaceCases,
  };
  runSuite(options, "BalanceStore", groups, async (opened, check) => {
    const context = balanceContext(opened);
    await check(context);
    await expectConsistentLedger(context);
  });
}
