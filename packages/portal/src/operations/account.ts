import { type Plan, parseAmount } from "@tollgate/core";
import type { AccountBalance, Allowance, SpendLimit, SpendState } from "@tollgate/core/store";
import {
  answerFrom,
  defineOperation,
  orNull,
  readPlanSpend,
  spendingAnswer,
  spendingOf,
} from "@tollgate/management/internal";
import { accountBalanceAnswer } from "@tollgate/management/operations";
import * as v from "valibot";
import type { PortalContext } from "../portal-options.ts";

/** The balance without the reason of a freeze, which is for the operator. */
const ownBalance = v.object(v.pick(accountBalanceAnswer.schema, ["posted", "held", "available", "expiring"]).entries);

const showBalance = (balance: AccountBalance) => v.parse(ownBalance, accountBalanceAnswer.show(balance));

interface OwnAccount {
  readonly id: string;
  readonly balance: AccountBalance | undefined;
  readonly spend: SpendState | undefined;
}

const accountAnswer = answerFrom<OwnAccount>()({
  id: [v.string(), ({ id }) => id],
  /** Null: the host has no store of balances. */
  balance: [v.nullable(ownBalance), ({ balance }) => orNull(balance, showBalance)],
  frozen: [v.boolean(), ({ balance }) => balance?.frozen !== undefined],
  /** What the account may spend, and has. */
  spend: [v.nullable(spendingAnswer.schema), ({ spend }) => orNull(spend && spendingOf(spend), spendingAnswer.show)],
});

/** The account with its balance, what expires of it, and its spend limit. */
export const showOwnAccount = defineOperation({
  name: "account",
  method: "GET",
  path: "/account",
  role: "viewer",
  summary: "The account with its balance, what expires of it, and its spend limit",
  answer: accountAnswer.schema,
  async run(context: PortalContext) {
    const { account: id } = context.customer;
    const [balance, limit] = await Promise.all([readBalance(context), hostLimit(context)]);
    return accountAnswer.show({ id, balance, spend: await stateOf(context, limit) });
  },
});

/** Returns the balance with the allowance of the plan of new keys; undefined without a store of balances. */
export async function readBalance(context: PortalContext): Promise<AccountBalance | undefined> {
  const { balances } = context.stores;
  const { account } = context.customer;
  return balances && (await context.ask(() => balances.balance(account, allowanceOf(planOf(context)))));
}

/** The plan of the keys that customers create. */
const planOf = ({ gateway, settings: { keys } }: PortalContext): Plan | undefined =>
  gateway.inspect().plans.find(({ id }) => id === keys?.plan);

const allowanceOf = (plan: Plan | undefined): Allowance | undefined =>
  plan?.allowance && { ...plan.allowance, amount: parseAmount(plan.allowance.amount) };

/** Returns the spend limit that the host has set for the account, or for each account of the plan of new keys. */
export async function hostLimit(context: PortalContext): Promise<SpendLimit | undefined> {
  const { accounts } = context.stores;
  const { account } = context.customer;
  const own = accounts && (await context.ask(() => accounts.findAccount(account)))?.spendLimit;
  if (own !== undefined) return own;
  const ofPlan = planOf(context)?.spend;
  return ofPlan && readPlanSpend(ofPlan);
}

async function stateOf(context: PortalContext, limit: SpendLimit | undefined): Promise<SpendState | undefined> {
  const { accounts } = context.stores;
  if (accounts === undefined || limit === undefined) return undefined;
  const id = context.customer.account;
  const [state] = await context.ask(() => accounts.spendOf([{ scope: "account", id, limit }]));
  return state;
}
