import { GatewayError } from "@tollgate/core";
import { compareBytes } from "@tollgate/core/internal";
import { type Account, type AccountAdmin, type ApiKey, emptyBalance, keyState } from "@tollgate/core/store";
import { type OperationContext, requireStore } from "../../operations/context.ts";

/** An account with the plans of its active keys, that of the newest key first. */
export interface ListedAccount extends Account {
  readonly plans: readonly string[];
}

/**
 * Returns a page of the accounts that have a balance or a key, in the order of {@link AccountAdmin.listAccounts}. The
 * accounts of plans without billing have only keys.
 */
export async function readAccounts(
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
