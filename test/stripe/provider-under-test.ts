import { randomUUID } from "node:crypto";
import type { Payment, PaymentProvider, ReadEvent } from "@tollgate/payments";
import { type StripeProviderOptions, stripeProvider } from "@tollgate/stripe";
import { onTestFinished } from "vitest";
import type { Event } from "../support/stripe/objects.ts";
import { type StripeServer, startStripe } from "../support/stripe/stripe-server.ts";
import { sign } from "../support/stripe/webhooks.ts";

/** A signing secret in the form of Stripe's. */
export const signingSecret = "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U";

/** A provider of a stand-in for Stripe. */
export interface ProviderUnderTest {
  readonly stripe: StripeServer;
  readonly provider: PaymentProvider;
  /** Sends an event to the provider as Stripe does, and returns what it reads. */
  read(event: object, header?: string): Promise<ReadEvent>;
  /** Returns the last event of a type that Stripe has sent. */
  last(type: string): Event;
}

/** Starts a stand-in and a provider that talks to it, until the test ends. */
export async function startProvider(
  more: Partial<StripeProviderOptions> = {},
  server: { readonly livemode?: boolean } = {},
): Promise<ProviderUnderTest> {
  const stripe = await startStripe(server);
  onTestFinished(() => stripe.close());
  stripe.webhooks.endpoints.push({ url: "http://127.0.0.1:1/", secrets: [signingSecret] });
  const provider = stripeProvider({
    stripe: stripe.client,
    live: false,
    webhookSecrets: [signingSecret],
    successUrl: "https://acme.example/billing?paid",
    cancelUrl: "https://acme.example/billing",
    ...more,
  });
  return {
    stripe,
    provider,
    read(event, header) {
      const body = JSON.stringify(event);
      const signature = header ?? sign(body, [signingSecret]);
      return provider.readEvent(Buffer.from(body), (name) => (name === "stripe-signature" ? signature : undefined));
    },
    last(type) {
      const event = stripe.webhooks.waiting.findLast((waiting) => waiting.type === type);
      if (event === undefined) throw new Error(`Stripe has sent no ${type}.`);
      return event;
    },
  };
}

/** Returns a payment of 25 US dollars that has begun now. */
export function paymentOf(more: Partial<Payment> = {}): Payment {
  return {
    id: randomUUID(),
    account: "customer-17",
    provider: "stripe",
    live: false,
    kind: "checkout",
    savesMethod: false,
    product: { id: "25", price: { amount: 2_500n, currency: "USD" }, credit: 25_000_000_000n, bonus: 0n },
    createdAt: new Date(),
    state: "pending",
    refunded: 0n,
    disputes: [],
    takenBack: { credit: 0n, bonus: 0n },
    postings: 0,
    ...more,
  };
}
