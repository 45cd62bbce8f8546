import { type Plan, type PlanSpend, parseAmount } from "@tollgate/core";
import { type ApiKey, keyState, type SpendLimit } from "@tollgate/core/store";
import { askStore, type StoreCalls } from "../../stores.ts";

const pageSize = 500;

/** Returns all keys of an account, oldest first; none without a store of keys. */
export async function keysOfAccount(services: StoreCalls, account: string): Promise<readonly ApiKey[]> {
  const { keys } = services.stores;
  if (keys === undefined) return [];
  const all: ApiKey[] = [];
  let after: string | undefined;
  do {
    const query = { account, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const page = await askStore(services, () => keys.list(query));
    all.push(...page.keys);
    after = page.next;
  } while (after !== undefined);
  return all;
}

/** Returns the default spend limit of the plan of the newest active key whose plan has one; undefined if there is none. */
export function planSpendOf(keys: readonly ApiKey[], plans: readonly Plan[]): SpendLimit | undefined {
  const spends = new Map(plans.map(({ id, spend }) => [id, spend]));
  const found = keys
    .filter((key) => keyState(key) === "active")
    .map(({ plan }) => spends.get(plan))
    .findLast((spend) => spend !== undefined);
  return found && readPlanSpend(found);
}

/** Reads the limit of a plan, which the host writes as text. */
export const readPlanSpend = ({ limit, ...others }: PlanSpend): SpendLimit => ({
  ...others,
  limit: parseAmount(limit),
});
