import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore } from "@tollgate/core/store";
import type { SqliteStores } from "@tollgate/sqlite";
import { type ByStory, forEachStory, type Story, type StoryName, stories } from "./stories.ts";
import { versionId } from "./terms.ts";

type Stores = Pick<SqliteStores, "balances" | "terms">;

const full = 1_000_000_000_000n;
const low = full / 10n;

/** The one account that begins without having accepted the terms. */
const newcomer = "terms" satisfies StoryName;

/** Gives each story the account of the last start, or a new one where that can no longer tell it, with money and terms. */
export function openAccounts(stores: Stores): Promise<ByStory<string>> {
  return forEachStory(async (name) => {
    const { funded }: Story = stories[name];
    const account = await findAccount(name, stores);
    if (funded) await topUp(stores.balances, account);
    if (name !== newcomer) await stores.terms.accept(account, versionId);
    return account;
  });
}

/** What is asked of an account before it tells its story again. */
const fits: Partial<ByStory<(account: string, stores: Stores) => Awaitable<boolean>>> = {
  empty: async (account, { balances }) => (await balances.balance(account)).posted <= 0n,
  [newcomer]: async (account, { terms }) => (await terms.acceptance(account, [versionId])) === undefined,
};

async function findAccount(name: StoryName, stores: Stores): Promise<string> {
  let account: string = name;
  for (let next = 2; (await fits[name]?.(account, stores)) === false; next += 1) account = `${name}-${next}`;
  return account;
}

/** The id says from which balance: two quickstarts that start at once top up once. */
async function topUp(balances: BalanceStore, account: string): Promise<void> {
  const { posted } = await balances.balance(account);
  if (posted >= low) return;
  const id = `demonstration-${account}-from-${posted}`;
  await balances.credit({ id, account, amount: full - posted, reason: "demonstration" });
}
