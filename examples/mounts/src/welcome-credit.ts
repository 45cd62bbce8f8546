import type { BalanceStore } from "@tollgate/core/store";

const trialMs = 30 * 86_400_000;

/** A user of your site, who may have several accounts. */
interface User {
  readonly id: string;
  readonly signedUpAt: Date;
}

/** Grants a user 5.00 for 30 days, once, whichever account it goes to. Returns false if it was granted before. */
export async function welcome(balances: BalanceStore, user: User, account: string): Promise<boolean> {
  const { outcome } = await balances.credit({
    id: `welcome:${user.id}`,
    account,
    amount: "5.00",
    reason: "welcome",
    kind: "granted",
    expiresAt: new Date(user.signedUpAt.getTime() + trialMs),
  });
  return outcome === "posted";
}
