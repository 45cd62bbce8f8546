import type { AccountAdmin, BalanceStore, NoticeOutbox } from "@tollgate/core/store";
import { expectConsistentLedger } from "./balance-store/consistency.ts";
import { balanceContext } from "./balance-store/context.ts";
import { accountNoticeCases } from "./notice-outbox/account-notices.ts";
import { noticeCases } from "./notice-outbox/notices.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/** The suite for a BalanceStore that writes notices to its outbox. Each case uses a new account and key. */
export function noticeOutboxContract(options: SuiteOptions<BalanceStore & AccountAdmin & NoticeOutbox>): void {
  const groups = { "of limits": noticeCases, "of money and freezes": accountNoticeCases };
  runSuite(options, "NoticeOutbox", groups, async (opened, check) => {
    const context = { ...balanceContext(opened), ...opened };
    await check(context);
    await expectConsistentLedger(context);
  });
}
