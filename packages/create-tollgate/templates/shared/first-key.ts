import { parseAmount } from "@tollgate/core";
import { balances, keys } from "./stores.ts";

const account = "customer-1";

/** Returns the API key of a first account with a balance of 5, or undefined if the account has a key already. */
export async function createFirstKey(): Promise<string | undefined> {
  const existing = await keys.list({ account, limit: 1 });
  if (existing.keys.length > 0) return undefined;
  // An id is credited once, however often it is sent.
  await balances.credit({ id: "first-credit", account, amount: parseAmount("5.00"), reason: "to try it out" });
  const { secret } = await keys.create({ account, plan: "prepaid" });
  return secret;
}
