/** What is asked of Stripe Checkout for a page. https://docs.stripe.com/api/checkout/sessions/create */
export interface SessionParams {
  mode: "payment";
  client_reference_id: string;
  metadata: Record<string, string>;
  line_items: {
    quantity: number;
    price_data: {
      currency: string;
      unit_amount: number;
      product_data: { name: string };
      tax_behavior?: "exclusive";
    };
  }[];
  payment_intent_data: { metadata: Record<string, string>; setup_future_usage?: "off_session" };
  customer_creation?: "always";
  success_url: string;
  cancel_url: string;
  expires_at: number;
  allow_promotion_codes: boolean;
  adaptive_pricing: { enabled: boolean };
  automatic_tax: { enabled: boolean };
  invoice_creation: { enabled: boolean };
}

/** What is asked for a charge of a saved payment method. https://docs.stripe.com/api/payment_intents/create */
export interface ChargeParams {
  amount: number;
  currency: string;
  customer: string;
  payment_method: string;
  automatic_payment_methods: { enabled: boolean };
  return_url: string;
  off_session: boolean;
  confirm: boolean;
  description: string;
  metadata: Record<string, string>;
}

/** The options of a request that are set. */
export interface RequestSettings {
  apiVersion: string;
  timeout: number;
  maxNetworkRetries: number;
  idempotencyKey?: string;
  stripeAccount?: string;
}

interface Retrieving {
  retrieve(id: string, params: { expand?: string[] }, settings: RequestSettings): Promise<unknown>;
}

/**
 * The methods that payments call on a client of the official SDK, which the host makes with its own API key. What they answer is read
 * by schemas, so that an ES module and a CommonJS one of the SDK both fit.
 */
export interface StripeClient {
  readonly checkout: {
    readonly sessions: { create(params: SessionParams, settings: RequestSettings): Promise<unknown> };
  };
  readonly paymentIntents: Retrieving & { create(params: ChargeParams, settings: RequestSettings): Promise<unknown> };
  readonly charges: Retrieving;
  readonly invoices: Retrieving;
  readonly balanceTransactions: {
    list(
      params: { created: { gte: number; lt: number }; limit: number; expand: string[] },
      settings: RequestSettings,
    ): AsyncIterable<unknown>;
  };
  readonly webhooks: {
    constructEventAsync(payload: string, header: string, secret: string, tolerance: number): Promise<unknown>;
  };
}
