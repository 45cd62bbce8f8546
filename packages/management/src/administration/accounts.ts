import { compareBytes } from "@tollgate/core/internal";
import { type Account, type AccountAdmin, emptyBalance, type KeyAdmin } from "@tollgate/core/store";
import type { Administrator } from "./audited.ts";

/** The stores that know the accounts. */
export interface AccountRecords {
  readonly accounts: AccountAdmin;
  readonly keys?: KeyAdmin | undefined;
}

/** An account with the plans of its active keys, that of the newest key first. */
export interface ListedAccount extends Account {
  readonly plans: readonly string[];
}

/**
 * Returns a page of the accounts that have a balance or a key, in the order of {@link AccountAdmin.listAccounts}. The
 * accounts of plans without billing have only keys.
 */
export async function listAccounts(
  { ask }: Pick<Administrator, "ask">,
  { accounts, keys }: AccountRecords,
  query: Parameters<AccountAdmin["listAccounts"]>[0],
): Promise<{ readonly accounts: readonly ListedAccount[]; readonly next?: string }> {
  // Each list has one more than the page, which shows whether there is another page.
  const wanted = { ...query, limit: query.limit + 1 };
  const [withBalance, withKeys] = await Promise.all([
    ask(() => accounts.listAccounts(wanted)),
    keys === undefined ? [] : ask(() => keys.accountsWithKeys(wanted)),
  ]);
  const byId = new Map<string, ListedAccount>(withKeys.map((each) => [each.id, { ...each, balance: emptyBalance }]));
  for (const account of withBalance.accounts) {
    byId.set(account.id, { ...account, plans: byId.get(account.id)?.plans ?? [] });
  }
  const found = [...byId.values()].sort((one, other) => compareBytes(one.id, other.id));
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return found.length > query.limit && last !== undefined ? { accounts: page, next: last.id } : { accounts: page };
}

/** True if an account has neither a balance nor a key, so that its id may be a mistake. */
export async function isNewAccount(
  { ask }: Pick<Administrator, "ask">,
  { accounts, keys }: AccountRecords,
  account: string,
): Promise<boolean> {
  if ((await ask(() => accounts.findAccount(account))) !== undefined) return false;
  return keys === undefined || (await ask(() => keys.list({ account, limit: 1 }))).keys.length === 0;
}
