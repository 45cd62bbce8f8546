import { paymentProviderContract } from "@tollgate/contract";
import { stripeProvider } from "@tollgate/stripe";
import { describe, it } from "vitest";
import { startStripe } from "../support/stripe/stripe-server.ts";
import { signingSecret } from "./provider-under-test.ts";
import { toldByStripe } from "./told-by-stripe.ts";

paymentProviderContract({
  test: { describe, it },
  async create() {
    const stripe = await startStripe();
    const provider = stripeProvider({
      stripe: stripe.client,
      live: false,
      webhookSecrets: [signingSecret],
      successUrl: "https://acme.example/paid",
      cancelUrl: "https://acme.example/billing",
    });
    return { provider, sign: (event, how) => toldByStripe(stripe, event, how), close: () => stripe.close() };
  },
});
