import { GatewayError } from "../errors/gateway-error.ts";
import { formatAmount } from "../options/decimal.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Caller } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";

/** Refuses a prepaid account with a posted balance of zero or less. Active holds do not count. */
export async function requireFunds(services: Services, { key, plan }: Caller): Promise<void> {
  if (plan.billing === "none") return;
  const { posted } = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.balances.balance(key.account),
    (balance) => typeof balance?.posted === "bigint",
  );
  if (posted > 0n) return;
  throw new GatewayError("insufficient_balance", `The balance is ${formatAmount(posted)}. Top it up to use this API.`, {
    metadata: { available: formatAmount(posted) },
  });
}
