import { type ApiKey, keyState } from "@tollgate/core/store";
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

/** Returns the plans of the active keys, each once, that of the newest key first. */
export const activePlansOf = (keys: readonly ApiKey[]): readonly string[] => [
  ...new Set(
    keys
      .filter((key) => keyState(key) === "active")
      .map(({ plan }) => plan)
      .toReversed(),
  ),
];
