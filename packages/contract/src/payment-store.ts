import { expectConsistentLedger } from "./balance-store/consistency.ts";
import { beginCases } from "./payment-store/begin.ts";
import { type PaymentStores, paymentContext } from "./payment-store/context.ts";
import { disorderCases } from "./payment-store/disorder.ts";
import { forgettingCases } from "./payment-store/forgetting.ts";
import { listCases } from "./payment-store/lists.ts";
import { paidCases } from "./payment-store/paid.ts";
import { raceCases } from "./payment-store/races.ts";
import { takeBackCases } from "./payment-store/take-back.ts";
import { topUpCases } from "./payment-store/top-ups.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

export type { PaymentStores } from "./payment-store/context.ts";

/**
 * The suite for every PaymentStore with the BalanceStore in which it posts. Each case uses a new account and ends with a check of
 * the ledger. Top-ups are counted by the day, so a run at midnight UTC can fail.
 */
export function paymentStoreContract(options: SuiteOptions<PaymentStores>): void {
  const groups = {
    begin: beginCases,
    "payments that are paid": paidCases,
    "refunds and disputes": takeBackCases,
    "events out of order": disorderCases,
    lists: listCases,
    "top-ups": topUpCases,
    forgetting: forgettingCases,
    races: raceCases,
  };
  runSuite(options, "PaymentStore", groups, async (opened, check) => {
    const context = paymentContext(opened);
    await check(context);
    await expectConsistentLedger(context.ledger);
  });
}
