import type { AccountAdmin, BalanceStore } from "@tollgate/core/store";
import { accountCases } from "./account-admin/accounts.ts";
import { forgettingCases } from "./account-admin/forgetting.ts";
import { freezeCases } from "./account-admin/freezes.ts";
import { spendCases } from "./account-admin/spend-limits.ts";
import { tokenCapCases } from "./account-admin/token-caps.ts";
import { expectConsistentLedger } from "./balance-store/consistency.ts";
import { balanceContext } from "./balance-store/context.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/**
 * The suite for a BalanceStore that is also an AccountAdmin: its accounts, which can be frozen, and spend limits. Each case
 * uses new accounts and keys, and ends with a check of the ledger. Windows are months and "total", except where noted,
 * so a run at midnight on the first of a month can fail.
 */
export function accountAdminContract(options: SuiteOptions<BalanceStore & AccountAdmin>): void {
  const groups = {
    accounts: accountCases,
    freezes: freezeCases,
    forget: forgettingCases,
    "spend limits": spendCases,
    "caps of tokens": tokenCapCases,
  };
  runSuite(options, "AccountAdmin", groups, async (opened, check) => {
    const context = { ...balanceContext(opened), ...opened };
    await check(context);
    await expectConsistentLedger(context);
  });
}
