import { formatAmount, GatewayError, type Plan, type PlanSpend, parseAmount } from "@tollgate/core";
import { compareBytes } from "@tollgate/core/internal";
import {
  type Account,
  type AccountAdmin,
  type ApiKey,
  type Balance,
  emptyBalance,
  keyState,
  type SpendLimit,
} from "@tollgate/core/store";
import * as v from "valibot";
import { type OperationContext, requireStore } from "../../operations/context.ts";
import { defineList, textPosition } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { amountText, timeText } from "../../schemas/answers.ts";
import { shownSpendState, spendStateMembers } from "../../schemas/limits.ts";
import { text } from "../../schemas/values.ts";

/** A balance in answers. */
export const balanceAnswer = v.strictObject({ posted: amountText, held: amountText, available: amountText });

/**
 * The members of an account in answers. `plans`: those of its active keys, that of the newest key first. `billed` is false
 * if none of them has billing, so that the balance does not matter. `source`: whether the limit is that of the account or
 * the default of its plan.
 */
const accountMembers = {
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

/** An account with the plans of its active keys, that of the newest key first. */
interface ListedAccount extends Account {
  readonly plans: readonly string[];
}

/** The accounts with their balances, by id. Those of plans without billing have only keys. */
export const listAccounts = defineList({
  name: "accounts",
  path: "/accounts",
  role: "viewer",
  summary: "The accounts with their plans, balances and spend limits, by id",
  query: { prefix: v.exactOptional(text) },
  item: accountAnswer,
  position: textPosition,
  exported: true,
  async page(context, { query, limit, after }) {
    const page = await readAccounts(context, { ...query, limit, ...(after === undefined ? {} : { after }) });
    return { data: await shownAccounts(context, page.accounts), next: page.next };
  },
});

/** An account with its terms and the number of its keys. */
export const showAccount = defineOperation({
  name: "accounts.show",
  method: "GET",
  path: "/accounts/:id",
  role: "viewer",
  summary: "An account with its balance, spend limit, accepted terms and the number of its keys",
  answer: v.strictObject({
    ...accountMembers,
    terms: v.array(v.strictObject({ version_id: v.string(), version: v.nullable(v.string()), accepted_at: timeText })),
    keys: v.number(),
  }),
  async run(context, { id }) {
    const { account, keys } = await findAccount(context, id);
    const [shown, terms] = await Promise.all([shownAccount(context, account), acceptedTerms(context, id)]);
    return { ...shown, terms, keys };
  },
});

const maxVersions = 200;

async function acceptedTerms({ stores: { terms }, gateway, ask }: OperationContext, account: string) {
  if (terms === undefined) return [];
  const versions = gateway?.inspect().terms.versions ?? [];
  const { acceptances } = await ask(() => terms.listAcceptances({ account, limit: maxVersions }));
  return acceptances.map(({ versionId, acceptedAt }) => ({
    version_id: versionId,
    version: versions.find(({ id }) => id === versionId)?.version ?? null,
    accepted_at: acceptedAt.toISOString(),
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
async function keysOf({ stores: { keys }, ask }: OperationContext, account: string): Promise<readonly ApiKey[]> {
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

/** Shows a balance. */
export const shownBalance = ({ posted, held, available }: Balance) => ({
  posted: formatAmount(posted),
  held: formatAmount(held),
  available: formatAmount(available),
});

/** Shows accounts, with what each has spent of its own limit or of the default of its plan. */
async function shownAccounts(context: OperationContext, listed: readonly ListedAccount[]) {
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
