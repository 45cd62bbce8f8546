import { parseAmount } from "@tollgate/core";

/** Returns the key of a new customer of the guides' gateway, with money, who has accepted the terms. */
export async function newCustomer(account: string): Promise<string> {
  const { balances, gateway, keys } = await import("../../examples/shop/src/gateway.ts");
  await gateway.terms.accept(account, "terms-2026-01");
  await balances.credit({ id: `${account}-first`, account, amount: parseAmount("5"), reason: "test" });
  const { secret } = await keys.create({ account, plan: "prepaid" });
  return secret;
}
