import type { CardError, Charge, Dispute, Intent, Refund, Session } from "./objects.ts";
import type { StripeAccount } from "./stripe-account.ts";

/** How a customer pays on the page. */
export interface Paying {
  /** Added to the amount, as Stripe Tax does. */
  readonly tax?: number;
  /** True: by a method that takes days, such as a bank debit. */
  readonly later?: boolean;
  /** In place of the amount and currency of the session, as no real session does. */
  readonly instead?: { readonly amount_total?: number; readonly currency?: string };
}

/** A customer pays on the page of a session. https://docs.stripe.com/checkout/fulfillment */
export function pay(account: StripeAccount, id: string, { tax = 0, later = false, instead = {} }: Paying = {}): Intent {
  const session = account.session(id);
  if (session.status !== "open" || session.expires_at <= account.now()) throw new Error(`The page of ${id} is closed.`);
  const total = { amount_total: session.amount_subtotal + tax, currency: session.currency, ...instead };
  const intent = newIntent(account, session, total);
  Object.assign(session, total, { payment_intent: intent.id, status: "complete", url: null });
  session.total_details.amount_tax = tax;
  if (!later) account.settle(intent);
  session.payment_status = later ? "unpaid" : "paid";
  account.emit("checkout.session.completed", session);
  return intent;
}

/** The bank answers, days after the customer paid. */
export function payLater(account: StripeAccount, sessionId: string, isPaid: boolean): void {
  const session = account.session(sessionId);
  const intent = account.intent(session.payment_intent ?? "");
  if (isPaid) {
    account.settle(intent);
    session.payment_status = "paid";
  } else account.fail(intent, declined);
  account.emit(`checkout.session.async_payment_${isPaid ? "succeeded" : "failed"}`, session);
}

/** The page of a session closes, after its time or by the operator. */
export function expire(account: StripeAccount, id: string): Session {
  const session = account.session(id);
  Object.assign(session, { status: "expired", url: null });
  account.emit("checkout.session.expired", session);
  return session;
}

/** The operator refunds a payment, wholly if there is no amount. https://docs.stripe.com/refunds */
export function refund(account: StripeAccount, intentId: string, amount?: number): Refund {
  const charge = chargeOf(account, intentId);
  const left = charge.amount - charge.amount_refunded;
  const refunded = amount ?? left;
  if (refunded > left) throw new Error("The refund is greater than the unrefunded amount of the charge.");
  const made = account.add<Refund>({
    ...{
      id: account.newId("re"),
      object: "refund",
      created: account.now(),
      amount: refunded,
      currency: charge.currency,
    },
    ...{ charge: charge.id, payment_intent: intentId, status: "succeeded" },
  });
  charge.amount_refunded += refunded;
  charge.refunded = charge.amount_refunded === charge.amount;
  account.book("refund", "refund", -refunded, made);
  account.emit("refund.created", made);
  account.emit("charge.refunded", charge);
  return made;
}

/** The bank sends a refund back. https://docs.stripe.com/refunds#failed-refunds */
export function failRefund(account: StripeAccount, id: string): void {
  const failed = account.refund(id);
  const charge = account.charge(failed.charge);
  failed.status = "failed";
  charge.amount_refunded -= failed.amount;
  charge.refunded = false;
  account.book("refund_failure", "refund_failure", failed.amount, failed);
  account.emit("refund.failed", failed);
}

/** A customer disputes a payment at the bank; an inquiry moves no money. https://docs.stripe.com/disputes/how-disputes-work */
export function dispute(
  account: StripeAccount,
  intentId: string,
  { amount, inquiry = false }: { amount?: number; inquiry?: boolean } = {},
): Dispute {
  const charge = chargeOf(account, intentId);
  const opened = account.add<Dispute>({
    ...{ id: account.newId("dp"), object: "dispute", created: account.now(), livemode: account.livemode, metadata: {} },
    ...{ amount: amount ?? charge.amount, currency: charge.currency, charge: charge.id, payment_intent: intentId },
    status: inquiry ? "warning_needs_response" : "needs_response",
  });
  charge.disputed = true;
  if (!inquiry) account.book("adjustment", "dispute", -opened.amount, opened);
  account.emit("charge.dispute.created", opened);
  if (!inquiry) account.emit("charge.dispute.funds_withdrawn", opened);
  return opened;
}

/** The bank decides a dispute, or an inquiry ends or becomes a dispute. */
export function decide(account: StripeAccount, id: string, status: Dispute["status"]): void {
  const decided = account.dispute(id);
  decided.status = status;
  if (status === "needs_response") {
    account.book("adjustment", "dispute", -decided.amount, decided);
    account.emit("charge.dispute.funds_withdrawn", decided);
    return;
  }
  if (status === "won") account.book("adjustment", "dispute_reversal", decided.amount, decided);
  account.emit("charge.dispute.closed", decided);
}

/** What the bank says of a card that it declines. https://docs.stripe.com/declines/codes */
export const declined: CardError = {
  type: "card_error",
  code: "card_declined",
  decline_code: "insufficient_funds",
  message: "Your card has insufficient funds.",
};

function newIntent(
  account: StripeAccount,
  session: Session,
  total: { amount_total: number; currency: string },
): Intent {
  const { metadata = {}, setup_future_usage: use = null } = account.plans.get(session.id) ?? {};
  const method = account.newId("pm");
  if (use !== null) account.methods.set(method, "pays");
  return account.add<Intent>({
    ...{
      id: account.newId("pi"),
      object: "payment_intent",
      created: account.now(),
      livemode: session.livemode,
      metadata,
    },
    ...{
      amount: total.amount_total,
      currency: total.currency,
      amount_received: 0,
      status: "processing",
      latest_charge: null,
    },
    ...{ customer: session.customer, payment_method: method, setup_future_usage: use, last_payment_error: null },
  });
}

function chargeOf(account: StripeAccount, intentId: string): Charge {
  return account.charge(account.intent(intentId).latest_charge ?? "");
}
