import type { SpendQuery, SpendState } from "@tollgate/core/store";
import type { Shards } from "./shards.ts";

/** Reads what was charged for a key. A key that the directory does not know, such as one of another KeyStore, is summed over all shards. */
export async function usedOfKey(shards: Shards, keyId: string): Promise<bigint> {
  const key = await shards.directory.shardOfKeyId(keyId);
  if (key !== undefined) return shards.read(key.account, ({ balances }) => balances.usedBy(keyId));
  const used = await shards.onAll(({ balances }) => balances.usedBy(keyId));
  return used.reduce((sum, amount) => sum + amount, 0n);
}

/** Reads what is spent of limits, with one call for each account, and of those without a known account on all shards. */
export async function readSpendOf(shards: Shards, queries: readonly SpendQuery[]): Promise<readonly SpendState[]> {
  const accounts = await Promise.all(queries.map((query) => accountOf(shards, query)));
  const states = await Promise.all(
    [...new Set(accounts)].map(async (account) => {
      const own = queries.filter((_query, place) => accounts[place] === account);
      return [account, await readStates(shards, account, own)] as const;
    }),
  );
  const statesOf = new Map(states.map(([account, own]) => [account, [...own]]));
  return accounts.flatMap((account) => statesOf.get(account)?.shift() ?? []);
}

async function accountOf({ directory }: Shards, { scope, id }: SpendQuery): Promise<string | undefined> {
  if (scope === "account") return id;
  return scope === "key" ? (await directory.shardOfKeyId(id))?.account : undefined;
}

async function readStates(
  shards: Shards,
  account: string | undefined,
  queries: readonly SpendQuery[],
): Promise<readonly SpendState[]> {
  if (account !== undefined) return shards.read(account, ({ balances }) => balances.spendOf(queries));
  const [first = [], ...others] = await shards.onAll(({ balances }) => balances.spendOf(queries));
  return first.map((state, place) => ({
    ...state,
    spent: others.reduce((sum, own) => sum + (own[place]?.spent ?? 0n), state.spent),
  }));
}
