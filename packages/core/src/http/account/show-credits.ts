import { formatAmount } from "../../options/decimal.ts";
import type { AccountBalance } from "../../ports/balance-store.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import type { Admission, Caller } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { numberOf } from "./shown-values.ts";

/**
 * GET /credits: the balance of the account, in the form of OpenRouter's API in `data`, and exactly beside it. Clients show
 * `total_credits` less `total_usage` as what is left, so the difference is the posted balance, also after credits that expired.
 * Follows https://openrouter.ai/docs/api/api-reference/credits/get-credits
 */
export async function showCredits(services: Services, { exchange, caller }: Admission): Promise<GatewayResponse> {
  const { posted, held, available, expiring, totals } = await balanceOf(services, caller);
  return jsonResponse(200, exchange.headers, {
    data: { total_credits: numberOf(posted + totals.used), total_usage: numberOf(totals.used) },
    balance: {
      currency: services.currency ?? null,
      posted: formatAmount(posted),
      held: formatAmount(held),
      available: formatAmount(available),
      expiring: expiring.map(({ amount, expiresAt }) => ({
        amount: formatAmount(amount),
        expires_at: expiresAt.toISOString(),
      })),
    },
    totals: { credited: formatAmount(totals.credited), used: formatAmount(totals.used) },
  });
}

/** Returns the balance of the account of a key, with the allowance of its plan. */
export const balanceOf = (services: Services, { key, plan }: Caller): Awaitable<AccountBalance> =>
  callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.balances.balance(key.account, plan.allowance),
    (balance) => typeof balance?.posted === "bigint" && typeof balance.totals?.used === "bigint",
  );
