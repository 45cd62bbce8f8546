import type { AccountAdmin, BalanceStore } from "@tollgate/core/store";
import { accountCases } from "./account-admin/accounts.ts";
import { spendCases } from "./account-admin/spend-limits.ts";
import { balanceContext, expectConsistentLedger } from "./balance-store/context.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/**
 * The suite for a BalanceStore that is also an AccountAdmin: its accounts, their spend limits, and those of holds. Each
 * case uses new accounts and keys, and ends with a check of the ledger. Windows are months and "total", except where noted,
 * so a run at midnight on the first of a month can fail.
 */
export function accountAdminContract(options: SuiteOptions<BalanceStore & AccountAdmin>): void {
  const groups = { accounts: accountCases, "spend limits": spendCases };
  runSuite(options, "AccountAdmin", groups, async (opened, check) => {
    const context = { ...balanceContext(opened), ...opened };
    await check(context);
    await expectConsistentLedger(context);
  });
}
