import { parseAmount } from "@tollgate/core";
import type { Dispute } from "../../support/stripe/objects.ts";
import type { StripeAccount } from "../../support/stripe/stripe-account.ts";
import { products } from "./shop.ts";

/** What customers have bought at Stripe. */
export interface Purchases {
  /** The account of each session. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly disputes: readonly Dispute[];
}

/**
 * Returns what each account must have by what Stripe knows: the credit and the bonus of each charge, less the share of what was
 * refunded or is disputed, rounded down.
 */
export function expectedBalances(stripe: StripeAccount, { accounts, disputes }: Purchases): Map<string, bigint> {
  const expected = new Map<string, bigint>();
  for (const [session, account] of accounts) {
    expected.set(account, (expected.get(account) ?? 0n) + creditOf(stripe, session, disputes));
  }
  return expected;
}

function creditOf(stripe: StripeAccount, sessionId: string, disputes: readonly Dispute[]): bigint {
  const session = stripe.session(sessionId);
  const product = products.find(({ cents }) => cents === session.amount_subtotal);
  if (session.payment_intent === null || session.payment_status !== "paid" || product === undefined) return 0n;
  const charge = stripe.charge(stripe.intent(session.payment_intent).latest_charge ?? "");
  const disputed = disputes.filter((each) => each.charge === charge.id && each.status !== "won");
  const returned = disputed.reduce((sum, { amount }) => sum + amount, charge.amount_refunded);
  const share = BigInt(Math.min(returned, charge.amount));
  const left = (amount: bigint) => amount - (amount * share) / BigInt(charge.amount);
  return left(parseAmount(product.credit)) + left(parseAmount(product.bonus));
}
