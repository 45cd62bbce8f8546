/** A page of Stripe Checkout. https://docs.stripe.com/api/checkout/sessions/object */
export interface Session {
  readonly id: string;
  readonly object: "checkout.session";
  readonly livemode: boolean;
  readonly created: number;
  readonly expires_at: number;
  readonly client_reference_id: string | null;
  readonly metadata: Record<string, string>;
  readonly currency: string;
  readonly amount_subtotal: number;
  readonly customer: string | null;
  readonly invoice: string | null;
  amount_total: number;
  total_details: { amount_discount: number; amount_shipping: number; amount_tax: number };
  payment_intent: string | null;
  payment_status: "paid" | "unpaid";
  status: "open" | "complete" | "expired";
  url: string | null;
}

/** https://docs.stripe.com/api/payment_intents/object */
export interface Intent {
  readonly id: string;
  readonly object: "payment_intent";
  readonly livemode: boolean;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Record<string, string>;
  readonly customer: string | null;
  readonly payment_method: string | null;
  readonly setup_future_usage: string | null;
  amount_received: number;
  latest_charge: string | null;
  status: "processing" | "requires_payment_method" | "succeeded";
  last_payment_error: CardError | null;
}

/** What a failed payment has as its error. https://docs.stripe.com/api/errors */
export interface CardError {
  readonly type: "card_error";
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

/** https://docs.stripe.com/api/charges/object */
export interface Charge {
  readonly id: string;
  readonly object: "charge";
  readonly livemode: boolean;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  /** A copy of the PaymentIntent's: https://docs.stripe.com/metadata */
  readonly metadata: Record<string, string>;
  readonly payment_intent: string;
  readonly receipt_url: string;
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
}

/** https://docs.stripe.com/api/refunds/object */
export interface Refund {
  readonly id: string;
  readonly object: "refund";
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  status: "succeeded" | "failed";
}

/** https://docs.stripe.com/api/disputes/object */
export interface Dispute {
  readonly id: string;
  readonly object: "dispute";
  readonly livemode: boolean;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
  status: "needs_response" | "warning_needs_response" | "warning_closed" | "won" | "lost";
}

/** https://docs.stripe.com/api/invoices/object */
export interface Invoice {
  readonly id: string;
  readonly object: "invoice";
  readonly hosted_invoice_url: string;
}

/** In the currency of the Stripe account. https://docs.stripe.com/api/balance_transactions/object */
export interface BalanceTransaction {
  readonly id: string;
  readonly object: "balance_transaction";
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly type: string;
  /** https://docs.stripe.com/reports/reporting-categories */
  readonly reporting_category: string;
  readonly source: string | null;
}

/** An object of the API that has an id. */
export type StripeObject = Session | Intent | Charge | Refund | Dispute | Invoice | BalanceTransaction;

/** https://docs.stripe.com/api/events/object */
export interface Event {
  readonly id: string;
  readonly object: "event";
  readonly api_version: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly account?: string;
  readonly type: string;
  /** The object as it was when the event happened. */
  readonly data: { readonly object: object };
}
