import { GatewayError, type Plan, type PlanSpend, parseAmount } from "@tollgate/core";
import { compareBytes } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type AccountBalance,
  type Allowance,
  type ApiKey,
  type Balance,
  emptyBalance,
  keyState,
  type SpendLimit,
  type TermsAcceptance,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineList, textPosition } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { answerFrom, orNull } from "../../schemas/answer.ts";
import { timeText } from "../../schemas/answers.ts";
import { type Spending, spendingAnswer, spendingOf } from "../../schemas/limits.ts";
import { text } from "../../schemas/values.ts";
import { accountBalanceAnswer, balanceAnswer, freezeAnswer } from "./balance-answers.ts";

/** What an account has spent of a limit, which is its own or the default of its plan. */
interface AccountSpending extends Spending {
  readonly source: "own" | "plan";
}

const accountSpending = answerFrom<AccountSpending>()({
  ...spendingAnswer.members,
  source: [v.picklist(["own", "plan"]), ({ source }) => source],
});

/** An account with the plans of its active keys, that of the newest key first. */
interface ListedAccount extends Account {
  readonly plans: readonly string[];
}

/** An account as it is shown. */
interface CheckedAccount extends Omit<ListedAccount, "balance">, Balance {
  /** False if none of its plans has billing, so that the balance does not matter. */
  readonly billed: boolean;
  readonly spending: AccountSpending | undefined;
}

/** An account in answers. */
export const accountAnswer = answerFrom<CheckedAccount>()({
  id: [v.string(), ({ id }) => id],
  plans: [v.array(v.string()), ({ plans }) => [...plans]],
  billed: [v.boolean(), ({ billed }) => billed],
  /** Null: it is not frozen. */
  frozen: [v.nullable(freezeAnswer.schema), ({ frozen }) => orNull(frozen, freezeAnswer.show)],
  ...balanceAnswer.members,
  spend: [v.nullable(accountSpending.schema), ({ spending }) => orNull(spending, accountSpending.show)],
});

/** An account as operators see it. */
export type ShownAccount = v.InferInput<typeof accountAnswer.schema>;

/** The accounts with their balances, by id. Those of plans without billing have only keys. */
export const listAccounts = defineList({
  name: "accounts",
  path: "/accounts",
  role: "viewer",
  summary: "The accounts with their plans, balances and spend limits, by id",
  query: { prefix: v.exactOptional(text) },
  item: accountAnswer.schema,
  position: textPosition,
  exported: true,
  async page(context, { query, limit, after }) {
    const page = await readAccounts(context, { ...query, limit, ...(after === undefined ? {} : { after }) });
    return { data: (await checkAccounts(context, page.accounts)).map(accountAnswer.show), next: page.next };
  },
});

const acceptedAnswer = answerFrom<AcceptedVersion>()({
  version_id: [v.string(), ({ versionId }) => versionId],
  version: [v.nullable(v.string()), ({ version }) => version ?? null],
  accepted_at: [timeText, ({ acceptedAt }) => acceptedAt.toISOString()],
});

interface AcceptedVersion extends TermsAcceptance {
  /** Undefined if the gateway no longer has it. */
  readonly version: string | undefined;
}

interface AccountDetail extends CheckedAccount, Pick<AccountBalance, "expiring" | "totals"> {
  readonly terms: readonly AcceptedVersion[];
  readonly keys: number;
}

const accountDetail = answerFrom<AccountDetail>()({
  ...accountAnswer.members,
  expiring: accountBalanceAnswer.members.expiring,
  totals: accountBalanceAnswer.members.totals,
  terms: [v.array(acceptedAnswer.schema), ({ terms }) => terms.map(acceptedAnswer.show)],
  keys: [v.number(), ({ keys }) => keys],
});

/** An account with its terms and the number of its keys. Its balance counts the allowance of the present window, which a plan grants, as granted. */
export const showAccount = defineOperation({
  name: "accounts.show",
  method: "GET",
  path: "/accounts/:id",
  role: "viewer",
  summary:
    "An account with its balance, what expires of it, its totals, spend limit, accepted terms and number of keys",
  answer: accountDetail.schema,
  async run(context, { id }) {
    const balances = requireStore(context, "balances");
    const { account, keys } = await findAccount(context, id);
    const [checked, terms, balance] = await Promise.all([
      checkAccount(context, account),
      acceptedTerms(context, id),
      context.ask(() => balances.balance(id, allowanceOf(context, account.plans))),
    ]);
    return accountDetail.show({ ...checked, ...balance, terms, keys });
  },
});

/** Returns the allowance of the first plan that has one. */
function allowanceOf({ gateway }: OperationContext, ids: readonly string[]): Allowance | undefined {
  const plans = gateway?.inspect().plans ?? [];
  const allowance = ids
    .map((id) => plans.find((plan) => plan.id === id)?.allowance)
    .find((found) => found !== undefined);
  return allowance && { ...allowance, amount: parseAmount(allowance.amount) };
}

const maxVersions = 200;

async function acceptedTerms(
  { stores: { terms }, gateway, ask }: OperationContext,
  account: string,
): Promise<readonly AcceptedVersion[]> {
  if (terms === undefined) return [];
  const versions = gateway?.inspect().terms.versions ?? [];
  const { acceptances } = await ask(() => terms.listAcceptances({ account, limit: maxVersions }));
  return acceptances.map((each) => ({
    ...each,
    version: versions.find(({ id }) => id === each.versionId)?.version,
  }));
}

/**
 * Returns a page of the accounts that have a balance or a key, in the order of {@link AccountAdmin.listAccounts}. The
 * accounts of plans without billing have only keys.
 */
async function readAccounts(
  context: OperationContext,
  query: Parameters<AccountAdmin["listAccounts"]>[0],
): Promise<{ readonly accounts: readonly ListedAccount[]; readonly next: string | undefined }> {
  const accounts = requireStore(context, "accounts");
  const { keys } = context.stores;
  // Each list has one more than the page, which shows whether there is another page.
  const wanted = { ...query, limit: query.limit + 1 };
  const [withBalance, withKeys] = await Promise.all([
    context.ask(() => accounts.listAccounts(wanted)),
    keys === undefined ? [] : context.ask(() => keys.accountsWithKeys(wanted)),
  ]);
  const byId = new Map<string, ListedAccount>(withKeys.map((each) => [each.id, { ...each, balance: emptyBalance }]));
  for (const account of withBalance.accounts) {
    byId.set(account.id, { ...account, plans: byId.get(account.id)?.plans ?? [] });
  }
  const found = [...byId.values()].sort((a, b) => compareBytes(a.id, b.id));
  const page = found.slice(0, query.limit);
  return { accounts: page, next: found.length > query.limit ? page.at(-1)?.id : undefined };
}

/** True if an account has neither a balance nor a key, so that its id may be a mistake. Without a store of accounts, nothing is known of them. */
export async function isNewAccount(context: OperationContext, account: string): Promise<boolean> {
  const { accounts, keys } = context.stores;
  if (accounts === undefined || (await context.ask(() => accounts.findAccount(account))) !== undefined) return false;
  return keys === undefined || (await context.ask(() => keys.list({ account, limit: 1 }))).keys.length === 0;
}

/** Returns an account with the number of its keys. One that has a key and no balance exists too. Throws 404 for an unknown id. */
export async function findAccount(context: OperationContext, id: string) {
  const accounts = requireStore(context, "accounts");
  const [found, keys] = await Promise.all([context.ask(() => accounts.findAccount(id)), keysOf(context, id)]);
  const account: Account | undefined = found ?? (keys.length > 0 ? { id, balance: emptyBalance } : undefined);
  if (account !== undefined) return { account: { ...account, plans: activePlansOf(keys) }, keys: keys.length };
  throw new GatewayError("resource_not_found", "There is no account with this id. Use an id of GET /accounts.");
}

const pageSize = 500;

/** Returns all keys of an account, oldest first; none without a store of keys. */
export async function keysOf({ stores: { keys }, ask }: OperationContext, account: string): Promise<readonly ApiKey[]> {
  if (keys === undefined) return [];
  const all: ApiKey[] = [];
  let after: string | undefined;
  do {
    const query = { account, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const page = await ask(() => keys.list(query));
    all.push(...page.keys);
    after = page.next;
  } while (after !== undefined);
  return all;
}

const activePlansOf = (keys: readonly ApiKey[]): readonly string[] => [
  ...new Set(
    keys
      .filter((key) => keyState(key) === "active")
      .map(({ plan }) => plan)
      .toReversed(),
  ),
];

/** Returns accounts with what each has spent of its own limit or of the default of its plan. */
async function checkAccounts(
  context: OperationContext,
  listed: readonly ListedAccount[],
): Promise<readonly CheckedAccount[]> {
  const accounts = requireStore(context, "accounts");
  const plans = new Map(context.gateway?.inspect().plans.map((plan) => [plan.id, plan]));
  const limits = listed.map(({ spendLimit, plans: ids }) => spendLimit ?? planSpendOf(ids, plans));
  const queries = listed.flatMap(({ id }, index) => {
    const limit = limits[index];
    return limit === undefined ? [] : [{ scope: "account" as const, id, limit }];
  });
  const states = queries.length === 0 ? [] : await context.ask(() => accounts.spendOf(queries));
  const stateOf = new Map(queries.map(({ id }, index) => [id, states[index]]));
  return listed.map(({ balance, ...account }) => {
    const state = stateOf.get(account.id);
    const source = account.spendLimit === undefined ? "plan" : "own";
    return {
      ...account,
      ...balance,
      billed: account.plans.length === 0 || account.plans.some((plan) => plans.get(plan)?.billing !== "none"),
      spending: state && { ...spendingOf(state), source },
    };
  });
}

async function checkAccount(context: OperationContext, account: ListedAccount): Promise<CheckedAccount> {
  const [checked] = await checkAccounts(context, [account]);
  if (checked === undefined) throw new Error("The account is missing in the list of one account.");
  return checked;
}

/** Shows an account. */
export const shownAccount = async (context: OperationContext, account: ListedAccount): Promise<ShownAccount> =>
  accountAnswer.show(await checkAccount(context, account));

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
