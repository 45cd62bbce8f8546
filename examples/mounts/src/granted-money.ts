import type { Plan } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";

export const plans: readonly Plan[] = [
  { id: "starter", billing: "prepaid", allowance: { amount: "1.00", window: "month", timezone: "Europe/Berlin" } },
];

/** Gives a new customer 5.00, of which what is left expires when the trial ends. */
export async function startTrial(balances: BalanceStore, account: string, endsAt: Date): Promise<void> {
  await balances.credit({
    id: `${account}-trial`,
    account,
    amount: "5.00",
    reason: "trial",
    kind: "granted",
    expiresAt: endsAt,
  });
}

/** Returns the newest charge of a customer to where it came from. Calling it twice has no further effect. */
export async function refundLastCharge(balances: BalanceStore, account: string): Promise<void> {
  const { entries } = await balances.entries({ account, kind: "charge", newestFirst: true, limit: 1 });
  for (const { sequence } of entries) await balances.refund({ account, sequence, reason: "The answer was cut off." });
}
