import type { PaymentProvider } from "@tollgate/payments";
import { createCheckoutSession } from "./checkout-session.ts";
import { readStripeEvent } from "./events/read-event.ts";
import { readMovements } from "./movements.ts";
import { chargeSavedMethod } from "./off-session-charge.ts";
import { checkedOptions, type StripeProviderOptions } from "./provider-options.ts";
import { priceProblem } from "./stripe-amount.ts";

/**
 * Takes payments with Stripe: pages of Stripe Checkout, charges of saved payment methods, verified webhooks and balance
 * transactions. Throws a TypeError that lists every problem of the options.
 * @example
 * const provider = stripeProvider({
 *   stripe: new Stripe(process.env.STRIPE_API_KEY),
 *   live: process.env.NODE_ENV === "production",
 *   webhookSecrets: [process.env.STRIPE_WEBHOOK_SECRET],
 *   successUrl: "https://acme.example/billing?paid",
 *   cancelUrl: "https://acme.example/billing",
 * });
 */
export function stripeProvider(options: StripeProviderOptions): PaymentProvider {
  const checked = checkedOptions(options);
  return {
    name: "stripe",
    live: checked.live,
    priceProblem,
    checkout: (payment) => createCheckoutSession(checked, payment, Date.now()),
    charge: (payment, method) => chargeSavedMethod(checked, payment, method),
    readEvent: (body, header) => readStripeEvent(checked, body, header("stripe-signature")),
    movements: (range) => readMovements(checked, range),
  };
}
