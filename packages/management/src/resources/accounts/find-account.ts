import { GatewayError } from "@tollgate/core";
import { type Account, emptyBalance } from "@tollgate/core/store";
import { askStore, requireStore, type StoreCalls } from "../../stores.ts";
import { activePlansOf, keysOfAccount } from "./account-keys.ts";

/** Returns an account with the number of its keys. One that has a key and no balance exists too. Throws 404 for an unknown id. */
export async function findAccount(services: StoreCalls, id: string) {
  const accounts = requireStore(services, "accounts");
  const [found, keys] = await Promise.all([
    askStore(services, () => accounts.findAccount(id)),
    keysOfAccount(services, id),
  ]);
  const account: Account | undefined = found ?? (keys.length > 0 ? { id, balance: emptyBalance } : undefined);
  if (account !== undefined) return { account: { ...account, plans: activePlansOf(keys) }, keys: keys.length };
  throw new GatewayError("resource_not_found", "There is no account with this id. Use an id of GET /accounts.");
}
