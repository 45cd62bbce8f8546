import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore } from "@tollgate/core/store";
import type { SqliteStores } from "@tollgate/sqlite";
import { versionId } from "../terms.ts";
import { type ByScenario, forEachScenario, type Scenario, type ScenarioName, scenarios } from "./scenarios.ts";

type Stores = Pick<SqliteStores, "balances" | "terms">;

const targetBalance = 1_000_000_000_000n;
const minBalance = targetBalance / 10n;

/** The scenario whose account has not accepted the terms. */
const termsScenario = "terms" satisfies ScenarioName;

/**
 * Returns the account of each scenario, with its balance topped up and the terms accepted as the scenario requires. An
 * account from an earlier start is reused unless it no longer fits its scenario.
 */
export function openAccounts(stores: Stores): Promise<ByScenario<string>> {
  return forEachScenario(async (name) => {
    const { funded }: Scenario = scenarios[name];
    const account = await findAccount(name, stores);
    if (funded) await topUp(stores.balances, account);
    if (name !== termsScenario) await stores.terms.accept(account, versionId);
    return account;
  });
}

/** Whether an account from an earlier start still fits its scenario. */
const isReusable: Partial<ByScenario<(account: string, stores: Stores) => Awaitable<boolean>>> = {
  empty: async (account, { balances }) => (await balances.balance(account)).posted <= 0n,
  [termsScenario]: async (account, { terms }) => (await terms.acceptance(account, [versionId])) === undefined,
};

async function findAccount(name: ScenarioName, stores: Stores): Promise<string> {
  let account: string = name;
  for (let next = 2; (await isReusable[name]?.(account, stores)) === false; next += 1) account = `${name}-${next}`;
  return account;
}

/** The id contains the previous balance, so two quickstarts that start at the same time top up only once. */
async function topUp(balances: BalanceStore, account: string): Promise<void> {
  const { posted } = await balances.balance(account);
  if (posted >= minBalance) return;
  const id = `demonstration-${account}-from-${posted}`;
  await balances.credit({ id, account, amount: targetBalance - posted, reason: "demonstration" });
}
