import { formatAmount } from "@tollgate/core";
import type { Account, Balance, SpendLimit } from "@tollgate/core/store";
import * as v from "valibot";
import { amountText } from "../../schemas/answers.ts";
import { shownSpendState, spendStateMembers } from "../../schemas/spend-state.ts";
import { askStore, requireStore, type StoreCalls } from "../../stores.ts";

/** A balance in answers. */
export const balanceAnswer = v.strictObject({ posted: amountText, held: amountText, available: amountText });

/** The members of an account in answers. `source`: whether the limit is that of the account or the default of its plan. */
export const accountMembers = {
  id: v.string(),
  ...balanceAnswer.entries,
  spend: v.nullable(v.strictObject({ ...spendStateMembers, source: v.picklist(["own", "plan"]) })),
};

/** An account in answers. */
export const accountAnswer = v.strictObject(accountMembers);

/** Shows a balance. */
export const shownBalance = ({ posted, held, available }: Balance) => ({
  posted: formatAmount(posted),
  held: formatAmount(held),
  available: formatAmount(available),
});

/** An account with the spend limit that applies to it. */
export interface LimitedAccount {
  readonly account: Account;
  /** The default of its plan, for an account without a limit of its own. */
  readonly planSpend?: SpendLimit | undefined;
}

/** Shows accounts, with what each has spent of its limit. */
export async function shownAccounts(services: StoreCalls, limited: readonly LimitedAccount[]) {
  const accounts = requireStore(services, "accounts");
  const queries = limited.flatMap(({ account: { id, spendLimit }, planSpend }) => {
    const limit = spendLimit ?? planSpend;
    return limit === undefined ? [] : [{ scope: "account" as const, id, limit }];
  });
  const states = queries.length === 0 ? [] : await askStore(services, () => accounts.spendOf(queries));
  const byId = new Map(queries.map(({ id }, index) => [id, states[index]]));
  return limited.map(({ account: { id, balance, spendLimit } }) => {
    const state = byId.get(id);
    const source = spendLimit === undefined ? ("plan" as const) : ("own" as const);
    return { id, ...shownBalance(balance), spend: state === undefined ? null : { ...shownSpendState(state), source } };
  });
}
