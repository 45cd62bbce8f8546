import Stripe from "stripe";
import { expect, expectTypeOf, it } from "vitest";
import type { StripeClient } from "./stripe-client.ts";
import { stripeProvider } from "./stripe-provider.ts";

const valid = {
  stripe: new Stripe("sk_test_1"),
  live: false,
  webhookSecrets: ["whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U"],
  successUrl: "https://acme.example/billing?paid={CHECKOUT_SESSION_ID}",
  cancelUrl: "http://localhost:8787/billing",
};

it("takes a client, secrets and addresses", () => {
  expect(stripeProvider(valid)).toMatchObject({ name: "stripe", live: false });
});

it("lists every problem, without a secret", () => {
  const wrong: object = {
    stripe: "sk_live_secret",
    webhookSecrets: ["", "whsec_another_secret"],
    successUrl: "/billing",
    cancelUrl: "javascript://x",
    gateway: "a b",
    webhookSecret: "whsec_single",
  };
  // @ts-expect-error -- a host in JavaScript may pass anything
  const start = () => stripeProvider(wrong);
  expect(start).toThrow(TypeError);
  expect(start).not.toThrow(/sk_live_secret|whsec_another_secret|whsec_single/);
  for (const problem of [
    "`stripe` must be a client of the package stripe. Pass `new Stripe(process.env.STRIPE_API_KEY)`, not the key.",
    "`live` is missing. It is required in the options of stripeProvider.",
    "`webhookSecrets[0]` is empty.",
    "`webhookSecrets[1]` is a placeholder.",
    "`successUrl` must be an absolute URL",
    "`cancelUrl` must be an absolute URL",
    "`gateway` must be 1 to 40 letters",
    "`webhookSecret` is not a member of the options of stripeProvider. Did you mean webhookSecrets?",
  ])
    expect(start).toThrow(problem);
  expect(() => stripeProvider({ ...valid, webhookSecrets: [] })).toThrow("`webhookSecrets` is empty.");
});

/** The SDK as `require` loads it. */
type CommonJs = typeof import("stripe", { with: { "resolution-mode": "require" }});

it("takes the client of a host in CommonJS, whose types are another copy", () => {
  expectTypeOf<InstanceType<CommonJs>>().toExtend<StripeClient>();
  expectTypeOf<Stripe>().toExtend<StripeClient>();
});
