import { formatAmount, type Plan, type PlanSpend, parseAmount } from "@tollgate/core";
import type { Balance, SpendLimit } from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { amountText } from "../../schemas/answers.ts";
import { shownSpendState, spendStateMembers } from "../../schemas/spend-state.ts";
import type { ListedAccount } from "./find-accounts.ts";

/** A balance in answers. */
export const balanceAnswer = v.strictObject({ posted: amountText, held: amountText, available: amountText });

/**
 * The members of an account in answers. `plans`: those of its active keys, that of the newest key first. `billed` is false
 * if none of them has billing, so that the balance does not matter. `source`: whether the limit is that of the account or
 * the default of its plan.
 */
export const accountMembers = {
  id: v.string(),
  plans: v.array(v.string()),
  billed: v.boolean(),
  ...balanceAnswer.entries,
  spend: v.nullable(v.strictObject({ ...spendStateMembers, source: v.picklist(["own", "plan"]) })),
};

/** An account in answers. */
export const accountAnswer = v.strictObject(accountMembers);

/** An account as operators see it. */
export type ShownAccount = v.InferInput<typeof accountAnswer>;

/** Shows a balance. */
export const shownBalance = ({ posted, held, available }: Balance) => ({
  posted: formatAmount(posted),
  held: formatAmount(held),
  available: formatAmount(available),
});

/** Shows accounts, with what each has spent of its own limit or of the default of its plan. */
export async function shownAccounts(context: OperationContext, listed: readonly ListedAccount[]) {
  const accounts = requireStore(context, "accounts");
  const plans = new Map(context.gateway?.inspect().plans.map((plan) => [plan.id, plan]));
  const limits = listed.map(({ spendLimit, plans: ids }) => spendLimit ?? planSpendOf(ids, plans));
  const queries = listed.flatMap(({ id }, index) => {
    const limit = limits[index];
    return limit === undefined ? [] : [{ scope: "account" as const, id, limit }];
  });
  const states = queries.length === 0 ? [] : await context.ask(() => accounts.spendOf(queries));
  const stateOf = new Map(queries.map(({ id }, index) => [id, states[index]]));
  return listed.map(({ id, balance, spendLimit, plans: ids }) => {
    const state = stateOf.get(id);
    const source = spendLimit === undefined ? ("plan" as const) : ("own" as const);
    return {
      id,
      plans: [...ids],
      billed: ids.length === 0 || ids.some((plan) => plans.get(plan)?.billing !== "none"),
      ...shownBalance(balance),
      spend: state === undefined ? null : { ...shownSpendState(state), source },
    };
  });
}

/** Shows an account. */
export async function shownAccount(context: OperationContext, account: ListedAccount) {
  const [shown] = await shownAccounts(context, [account]);
  if (shown === undefined) throw new Error("The account is missing in the list of one account.");
  return shown;
}

/** Returns the default spend limit of the first plan that has one. */
function planSpendOf(ids: readonly string[], plans: ReadonlyMap<string, Plan>): SpendLimit | undefined {
  const spend = ids.map((id) => plans.get(id)?.spend).find((found) => found !== undefined);
  return spend && readPlanSpend(spend);
}

/** Reads the limit of a plan, which the host writes as text. */
export const readPlanSpend = ({ limit, ...others }: PlanSpend): SpendLimit => ({
  ...others,
  limit: parseAmount(limit),
});
