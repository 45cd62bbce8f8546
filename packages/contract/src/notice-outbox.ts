import type { BalanceStore, NoticeOutbox } from "@tollgate/core/store";
import { balanceContext, expectConsistentLedger } from "./balance-store/context.ts";
import { noticeCases } from "./notice-outbox/notices.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/** The suite for a BalanceStore that writes notices to its outbox. Each case uses a new account and key. */
export function noticeOutboxContract(options: SuiteOptions<BalanceStore & NoticeOutbox>): void {
  runSuite(options, "NoticeOutbox", { notices: noticeCases }, async (opened, check) => {
    const context = { ...balanceContext(opened), ...opened };
    await check(context);
    await expectConsistentLedger(context);
  });
}
